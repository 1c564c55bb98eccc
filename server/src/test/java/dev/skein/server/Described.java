package dev.skein.server;

/// Holds answers to the API's description.
final class Described {

    private Described() {}

    static void hold(String method, String path, Client.Answer answer) {}

    static void holdEvent(Client.Event event) {}
}

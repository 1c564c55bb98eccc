package dev.skein.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;

/// The server cannot have the address it was to listen on.
public final class CannotListen extends RuntimeException {

    private CannotListen(String message) {
        super(message);
    }

    /// The web server does not tell why, so it is tried once more.
    static CannotListen on(String host, int port) {
        return new CannotListen("cannot listen on " + host + ":" + port + " (" + reason(host, port) + ")");
    }

    private static String reason(String host, int port) {
        try (var socket = ServerSocketChannel.open()) {
            socket.bind(new InetSocketAddress(host, port));
            return "it was taken a moment ago";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }
}

package dev.skein.server;

import java.io.IOException;

/// The server cannot have the address it was to listen on.
public final class CannotListen extends RuntimeException {

    CannotListen(String host, int port, IOException why) {
        super("cannot listen on " + host + ":" + port + " (" + why.getMessage() + ")", why);
    }
}

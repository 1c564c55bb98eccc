package dev.skein.server.connection;

import io.helidon.webserver.CloseConnectionException;

/// Thrown through the web server by a route that has begun its answer as a stream, to have the [Sequel] go on with it.
/// To the web server the connection ends here.
public final class Detached extends CloseConnectionException {

    private static final long serialVersionUID = 1L;

    private final transient Sequel sequel;

    public Detached(Sequel sequel) {
        super("the answer goes on without its request");
        this.sequel = sequel;
    }

    Sequel sequel() {
        return sequel;
    }

    /// Nothing is wrong here.
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}

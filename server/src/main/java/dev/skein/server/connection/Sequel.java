package dev.skein.server.connection;

import java.io.OutputStream;

/// What is still to be told on a connection after the request that asked for it was let go of.
///
/// Run by a thread of its own, where nothing of the request is kept: neither the web server's objects nor the calls
/// that
/// led to the route. The connection ends with it.
@FunctionalInterface
public interface Sequel {

    /// Tells the rest.
    ///
    /// @param out the body of the answer, from where it was; closing it says that it is whole
    void run(OutputStream out);
}

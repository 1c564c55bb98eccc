package dev.skein.server.connection;

import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http1.Http1Config;
import java.io.OutputStream;
import java.time.Duration;
import java.util.function.UnaryOperator;

/// What clients are held to before there is a request.
///
/// @param http sizes of what comes before a body, and who hears when it came
/// @param bodyMax the largest body, in bytes
/// @param errors answers to what is no request
/// @param idle how long a connection may be silent between requests
/// @param sending goes before everything that is written to a client, and ends it if it takes nothing
/// @param connections how many are accepted at once; others wait in the system's queue
public record ListenerRules(
        Http1Config http,
        long bodyMax,
        DirectHandlers errors,
        Duration idle,
        UnaryOperator<OutputStream> sending,
        int connections) {}

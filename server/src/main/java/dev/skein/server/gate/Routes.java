package dev.skein.server.gate;

import java.util.Optional;

/// The table of routes by which requests are dispatched, so that what is checked is what is run.
@FunctionalInterface
public interface Routes {

    /// Empty if there is no such route; the request then goes nowhere. The path is as it was sent.
    Optional<RouteRule> rule(String method, String path);
}

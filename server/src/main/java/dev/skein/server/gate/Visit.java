package dev.skein.server.gate;

import dev.skein.server.auth.Caller;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A request on its way through the gate, and what is known of it so far.
final class Visit {

    private final long began = System.nanoTime();
    private final String requestId;
    private final String remote;
    private final String method;
    private final String path;

    @Nullable
    RouteRule rule;

    @Nullable
    Caller caller;

    boolean streaming;

    /// Its answer will be told by a [dev.skein.server.connection.Sequel].
    boolean goesOn;

    Visit(String requestId, String remote, String method, String path) {
        this.requestId = requestId;
        this.remote = remote;
        this.method = method;
        this.path = path;
    }

    Duration age() {
        return Duration.ofNanos(System.nanoTime() - began);
    }

    String requestId() {
        return requestId;
    }

    String remote() {
        return remote;
    }

    String method() {
        return method;
    }

    String path() {
        return path;
    }
}

package dev.skein.server.gate;

import dev.skein.failure.Unauthorized;
import dev.skein.server.auth.Authentication;
import dev.skein.server.auth.Caller;
import dev.skein.server.trace.RequestSpan;
import io.helidon.webserver.http.ServerRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What the gate found out about a request, for its route.
public final class Passage {

    private final String requestId;
    private final String remote;
    private final RouteRule rule;
    private final @Nullable Caller caller;
    private final Authentication authentication;
    private final RequestSpan span;
    private final Runnable streaming;

    Passage(
            String requestId,
            String remote,
            RouteRule rule,
            @Nullable Caller caller,
            Authentication authentication,
            RequestSpan span,
            Runnable streaming) {
        this.requestId = requestId;
        this.remote = remote;
        this.rule = rule;
        this.caller = caller;
        this.authentication = authentication;
        this.span = span;
        this.streaming = streaming;
    }

    /// Of a request that came through a gate.
    public static Passage of(ServerRequest request) {
        return request.context()
                .get(Passage.class)
                .orElseThrow(() -> new IllegalStateException("the request did not come through the gate"));
    }

    public String requestId() {
        return requestId;
    }

    /// The address of the client, as far as it can be believed.
    public String remote() {
        return remote;
    }

    public RouteRule rule() {
        return rule;
    }

    /// Who asks. Empty on routes that are open.
    public Optional<Caller> caller() {
        return Optional.ofNullable(caller);
    }

    /// Who asks, on routes for callers.
    public Caller requireCaller() {
        if (caller == null) {
            throw new Unauthorized();
        }
        return caller;
    }

    /// Whether the caller's key or token still counts. A stream asks now and then, at least every few seconds, and ends
    /// if not.
    public boolean stillValid() {
        return caller == null || authentication.stillValid(caller);
    }

    /// The answer is a stream of events from now on.
    public void streams() {
        streaming.run();
    }

    /// The request as traces see it; a run within it gets its hooks from here.
    public RequestSpan span() {
        return span;
    }
}

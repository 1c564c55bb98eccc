package dev.skein.server.gate;

import dev.skein.failure.Unauthorized;
import dev.skein.server.auth.Authentication;
import dev.skein.server.auth.Caller;
import dev.skein.server.connection.Detached;
import dev.skein.server.connection.Sequel;
import dev.skein.server.trace.RequestSpan;
import io.helidon.webserver.http.ServerRequest;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What the gate found out about a request, for its route.
public final class Passage {

    private final Visit visit;
    private final RouteRule rule;
    private final @Nullable Caller caller;
    private final Authentication authentication;
    private final RequestSpan span;
    private final Runnable streaming;
    private final Function<Sequel, Detached> detaching;

    Passage(
            Visit visit,
            RouteRule rule,
            @Nullable Caller caller,
            Authentication authentication,
            RequestSpan span,
            Runnable streaming,
            Function<Sequel, Detached> detaching) {
        this.visit = visit;
        this.rule = rule;
        this.caller = caller;
        this.authentication = authentication;
        this.span = span;
        this.streaming = streaming;
        this.detaching = detaching;
    }

    /// Of a request that came through a gate.
    public static Passage of(ServerRequest request) {
        return request.context()
                .get(Passage.class)
                .orElseThrow(() -> new IllegalStateException("the request did not come through the gate"));
    }

    public String requestId() {
        return visit.requestId();
    }

    /// The address of the client, as far as it can be believed.
    public String remote() {
        return visit.remote();
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
    /// if not. Keeps nothing of the request.
    public BooleanSupplier validity() {
        var who = caller;
        var keys = authentication;
        return () -> who == null || keys.stillValid(who);
    }

    /// To be thrown by a route whose stream has begun: the request is let go of, and the sequel goes on with the
    /// stream.
    /// What the gate holds for the request it holds until then.
    public Detached goOn(Sequel sequel) {
        return detaching.apply(sequel);
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

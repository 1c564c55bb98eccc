package dev.skein.server.gate;

import dev.skein.failure.Forbidden;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.NoSuchRoute;
import dev.skein.failure.RequestTooLarge;
import dev.skein.failure.SkeinException;
import dev.skein.failure.TooManyRequests;
import dev.skein.failure.Unauthorized;
import dev.skein.server.metrics.Meters.Reason;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A request goes no further. Thrown and caught within the gate.
final class Refusal extends RuntimeException {

    private final int status;
    private final SkeinException failure;
    private final @Nullable Reason reason;

    private Refusal(int status, SkeinException failure, @Nullable Reason reason) {
        super(failure.getMessage(), null, false, false);
        this.status = status;
        this.failure = failure;
        this.reason = reason;
    }

    static Refusal unauthorized(Reason reason) {
        return new Refusal(401, new Unauthorized(), reason);
    }

    static Refusal needs(String grant) {
        return new Refusal(403, Forbidden.needs(grant), Reason.FORBIDDEN);
    }

    static Refusal host() {
        return new Refusal(421, Forbidden.host(), Reason.HOST);
    }

    static Refusal origin() {
        return new Refusal(403, Forbidden.origin(), Reason.ORIGIN);
    }

    static Refusal often(Duration retryAfter) {
        return new Refusal(429, TooManyRequests.often(retryAfter), Reason.RATE);
    }

    static Refusal atOnce(Duration retryAfter) {
        return new Refusal(429, TooManyRequests.atOnce(retryAfter), Reason.AT_ONCE);
    }

    static Refusal busy(Duration retryAfter) {
        return new Refusal(503, TooManyRequests.busy(retryAfter), Reason.SERVER_BUSY);
    }

    static Refusal tooLarge(int status, String what) {
        return new Refusal(status, new RequestTooLarge(what), null);
    }

    static Refusal invalid(int status, String message) {
        return new Refusal(status, new InvalidRequest(message), null);
    }

    static Refusal noSuchRoute() {
        return new Refusal(404, new NoSuchRoute(), null);
    }

    int status() {
        return status;
    }

    SkeinException failure() {
        return failure;
    }

    @Nullable
    Reason reason() {
        return reason;
    }

    boolean isLimit() {
        return failure instanceof TooManyRequests;
    }
}

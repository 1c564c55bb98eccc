package dev.skein.failure;

import java.time.Duration;

/// More was asked, or at once, than is allowed. Trying again later helps.
public final class TooManyRequests extends SkeinException {

    private final Duration retryAfter;

    private TooManyRequests(String code, String message, Duration retryAfter) {
        super(FailureKind.LIMIT, code, message + "; try again in " + seconds(retryAfter) + " s", null);
        this.retryAfter = retryAfter;
    }

    /// One caller asks too often.
    public static TooManyRequests often(Duration retryAfter) {
        return new TooManyRequests("limit.rate", "too many requests with this key or from this address", retryAfter);
    }

    /// One caller has too much going on.
    public static TooManyRequests atOnce(Duration retryAfter) {
        return new TooManyRequests("limit.at_once", "too many requests at once with this key", retryAfter);
    }

    /// Everybody together has too much going on, or the server is about to stop.
    public static TooManyRequests busy(Duration retryAfter) {
        return new TooManyRequests("limit.server_busy", "the server is busy", retryAfter);
    }

    /// At least a second.
    public Duration retryAfter() {
        return Duration.ofSeconds(seconds(retryAfter));
    }

    private static long seconds(Duration duration) {
        return Math.max(1, duration.plusMillis(999).toSeconds());
    }
}

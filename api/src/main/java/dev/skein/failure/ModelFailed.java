package dev.skein.failure;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A provider did not answer, or not with an answer.
public final class ModelFailed extends SkeinException {

    private final boolean isTransient;
    private final @Nullable Duration retryAfter;

    private ModelFailed(
            String code,
            String message,
            boolean isTransient,
            @Nullable Duration retryAfter,
            @Nullable Throwable cause) {
        super(FailureKind.PROVIDER, code, message, cause);
        this.isTransient = isTransient;
        this.retryAfter = retryAfter;
    }

    /// The provider is overloaded, restarting or out of reach: trying again may help.
    public static ModelFailed unavailable(
            Object model, String why, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        return unavailable(model, why, "try again later", retryAfter, cause);
    }

    /// As above, with what to do before trying again.
    public static ModelFailed unavailable(
            Object model, String why, String next, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        return new ModelFailed(
                "model.unavailable", model + " did not answer: " + why + "; " + next, true, retryAfter, cause);
    }

    /// The provider refused the request: the same request fails again.
    public static ModelFailed refused(Object model, String why, @Nullable Throwable cause) {
        return refused(model, why, "change the request", cause);
    }

    /// As above, with what to change.
    public static ModelFailed refused(Object model, String why, String next, @Nullable Throwable cause) {
        return new ModelFailed(
                "model.refused", model + " refused the request: " + why + "; " + next, false, null, cause);
    }

    /// The same failure in other words, and without its cause, which might say more.
    public ModelFailed saying(String message) {
        return new ModelFailed(code(), message, isTransient, retryAfter, null);
    }

    public boolean isTransient() {
        return isTransient;
    }

    /// How long the provider asks to wait before the next try.
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}

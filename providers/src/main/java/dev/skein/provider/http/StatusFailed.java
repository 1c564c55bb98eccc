package dev.skein.provider.http;

import dev.langchain4j.exception.HttpException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The provider answered with a status that is no success. Its message is the body, shortened, without the key.
public final class StatusFailed extends HttpException {

    private final @Nullable Duration retryAfter;

    StatusFailed(int status, String body, @Nullable Duration retryAfter) {
        super(status, body);
        this.retryAfter = retryAfter;
    }

    /// How long the provider asks to wait.
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}

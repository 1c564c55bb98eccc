package dev.skein.provider.http;

import java.net.http.HttpHeaders;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How long a provider asks to wait: `retry-after-ms` or `retry-after` in seconds. A date is not understood, as the
/// two clocks may differ.
final class RetryAfter {

    private static final long SECONDS_MAX = Duration.ofDays(1).toSeconds();

    private RetryAfter() {}

    static @Nullable Duration in(HttpHeaders headers) {
        var millis = number(headers, "retry-after-ms", 1);
        return millis == null ? number(headers, "retry-after", 1_000) : millis;
    }

    private static @Nullable Duration number(HttpHeaders headers, String name, int millisPerUnit) {
        try {
            var value = Double.parseDouble(headers.firstValue(name).orElse("").strip());
            var millis = value * millisPerUnit;
            return millis >= 0 && millis <= SECONDS_MAX * 1_000.0 ? Duration.ofMillis((long) millis) : null;
        } catch (NumberFormatException _) {
            return null;
        }
    }
}

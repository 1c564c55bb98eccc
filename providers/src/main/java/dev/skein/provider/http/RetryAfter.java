package dev.skein.provider.http;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// How long a provider asks to wait: `retry-after-ms`, `retry-after` in seconds or as a date, or a word in the body. A
/// date is compared
/// with the date of the answer itself, as the provider's clock and ours may differ.
final class RetryAfter {

    private static final Duration MAX = Duration.ofDays(1);

    private RetryAfter() {}

    /// Google says it in the body.
    private static final Pattern IN_BODY = Pattern.compile("\"retryDelay\"\\s*:\\s*\"(\\d{1,5})(?:\\.\\d+)?s\"");

    static @Nullable Duration in(HttpHeaders headers, String body) {
        var wait = in(headers);
        var delay = IN_BODY.matcher(body);
        return wait == null && delay.find() ? Duration.ofSeconds(Long.parseLong(delay.group(1))) : wait;
    }

    private static @Nullable Duration in(HttpHeaders headers) {
        var millis = number(headers, "retry-after-ms", 1);
        if (millis != null) {
            return millis;
        }
        var seconds = number(headers, "retry-after", 1_000);
        return seconds == null ? untilDate(headers) : seconds;
    }

    private static @Nullable Duration number(HttpHeaders headers, String name, int millisPerUnit) {
        try {
            var value = Double.parseDouble(headers.firstValue(name).orElse("").strip());
            var millis = value * millisPerUnit;
            return millis >= 0 && millis <= MAX.toMillis() ? Duration.ofMillis((long) millis) : null;
        } catch (NumberFormatException _) {
            return null;
        }
    }

    private static @Nullable Duration untilDate(HttpHeaders headers) {
        try {
            var wait = Duration.between(date(headers, "date"), date(headers, "retry-after"));
            if (wait.isNegative()) {
                return Duration.ZERO;
            }
            return wait.compareTo(MAX) <= 0 ? wait : null;
        } catch (DateTimeException _) {
            return null;
        }
    }

    private static ZonedDateTime date(HttpHeaders headers, String name) {
        var text = headers.firstValue(name).orElse("").strip();
        return ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME);
    }
}

package dev.skein.wire;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ext.javatime.deser.InstantDeserializer;

/// Reads times in the one shape that is written here, `2026-11-15T20:24:12.5Z`, digit by digit. Every event has one,
/// and a formatter takes longer for it than for the rest of a small event. Any other shape goes to Jackson's reader.
public final class InstantReader extends ValueDeserializer<Instant> {

    private static final int SECONDS_LENGTH = "2026-11-15T20:24:12".length();
    private static final int FRACTION_MAX = 9;

    @Override
    public Instant deserialize(JsonParser parser, DeserializationContext context) {
        var time = parser.hasToken(JsonToken.VALUE_STRING) ? parse(parser.getString()) : null;
        return time == null ? InstantDeserializer.INSTANT.deserialize(parser, context) : time;
    }

    /// The time, or null if the text has another shape.
    public static @Nullable Instant parse(String text) {
        var end = text.length() - 1;
        if (end < SECONDS_LENGTH
                || text.charAt(end) != 'Z'
                || text.charAt(4) != '-'
                || text.charAt(7) != '-'
                || text.charAt(10) != 'T'
                || text.charAt(13) != ':'
                || text.charAt(16) != ':') {
            return null;
        }
        var year = number(text, 0, 4);
        var month = number(text, 5, 7);
        var day = number(text, 8, 10);
        var hour = number(text, 11, 13);
        var minute = number(text, 14, 16);
        var second = number(text, 17, 19);
        var nanos = nanos(text, end);
        if ((year | month | day | hour | minute | second | nanos) < 0 || hour > 23 || minute > 59 || second > 59) {
            return null;
        }
        try {
            var seconds = LocalDate.of(year, month, day).toEpochDay() * 86_400L + hour * 3_600L + minute * 60L + second;
            return Instant.ofEpochSecond(seconds, nanos);
        } catch (DateTimeException _) {
            return null;
        }
    }

    /// What stands behind the seconds: nothing, or a point and one to nine digits; -1 if anything else does.
    private static int nanos(String text, int end) {
        if (end == SECONDS_LENGTH) {
            return 0;
        }
        var digits = end - SECONDS_LENGTH - 1;
        if (text.charAt(SECONDS_LENGTH) != '.' || digits < 1 || digits > FRACTION_MAX) {
            return -1;
        }
        var value = number(text, SECONDS_LENGTH + 1, end);
        for (int i = digits; i < FRACTION_MAX && value > 0; i++) {
            value *= 10;
        }
        return value;
    }

    /// The digits in `text[from, to)` as a number, or -1.
    private static int number(String text, int from, int to) {
        var value = 0;
        for (int i = from; i < to; i++) {
            var digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }
}

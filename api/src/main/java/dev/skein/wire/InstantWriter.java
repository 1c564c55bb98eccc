package dev.skein.wire;

import java.time.Instant;
import java.time.LocalDate;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;

/// Writes times as [Instant#toString] does, digit by digit: every event has one, and a formatter takes longer
/// for it than for the rest of a small event.
final class InstantWriter extends ValueSerializer<Instant> {

    private static final int DAY_SECONDS = 24 * 60 * 60;
    private static final String SHAPE = "0000-00-00T00:00:00.000000000Z";
    private static final int POINT = SHAPE.indexOf('.');

    @Override
    public void serialize(Instant time, JsonGenerator generator, SerializationContext context) {
        write(time, generator);
    }

    static void write(Instant time, JsonGenerator generator) {
        var day = LocalDate.ofEpochDay(Math.floorDiv(time.getEpochSecond(), DAY_SECONDS));
        if (day.getYear() < 0 || day.getYear() > 9999) {
            generator.writeString(time.toString());
            return;
        }
        var text = SHAPE.toCharArray();
        generator.writeString(text, 0, fill(text, day, time));
    }

    /// Puts the digits into their places and returns how many characters count.
    private static int fill(char[] text, LocalDate day, Instant time) {
        var second = Math.floorMod(time.getEpochSecond(), DAY_SECONDS);
        digits(text, 4, day.getYear());
        digits(text, 7, day.getMonthValue());
        digits(text, 10, day.getDayOfMonth());
        digits(text, 13, second / 3600);
        digits(text, 16, second / 60 % 60);
        digits(text, 19, second % 60);
        var nanos = time.getNano();
        digits(text, SHAPE.length() - 1, nanos);
        var length = nanos == 0
                ? POINT
                : POINT + (nanos % 1_000_000 == 0 ? 4 : nanos % 1_000 == 0 ? 7 : 10); // digits come in threes
        text[length] = 'Z';
        return length + 1;
    }

    /// Writes a number so that it ends before `end`. Where it has no digit, there is a zero already.
    private static void digits(char[] text, int end, int number) {
        var left = number;
        for (int i = end - 1; left > 0; i--) {
            text[i] = (char) ('0' + left % 10);
            left /= 10;
        }
    }
}

package dev.skein.engine.schedule;

import dev.skein.failure.InvalidRequest;
import java.util.List;
import java.util.Locale;

/// One field of a cron expression: which of its numbers are meant.
///
/// @param bits a one for each number that is meant
/// @param isRestricted whether it was written without a star
record CronField(Kind kind, long bits, boolean isRestricted) {

    /// What its numbers count.
    enum Kind {
        MINUTE("minute", 0, 59, ""),
        HOUR("hour", 0, 23, ""),
        DAY("day of the month", 1, 31, ""),
        MONTH("month", 1, 12, "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC"),
        /// Sunday is 0, and 7 too.
        WEEKDAY("day of the week", 0, 7, "SUN MON TUE WED THU FRI SAT");

        private final String words;
        private final int least;
        private final int most;
        private final String names;

        Kind(String words, int least, int most, String names) {
            this.words = words;
            this.least = least;
            this.most = most;
            this.names = names;
        }

        private List<String> names() {
            return names.isEmpty() ? List.of() : List.of(names.split(" "));
        }
    }

    /// Lists of numbers, names, ranges and steps: `*`, `*/15`, `9-17`, `MON,WED`, `0-30/10`.
    static CronField parse(Kind kind, String text) {
        var bits = 0L;
        for (var part : text.split(",", -1)) {
            bits |= part(kind, text, part);
        }
        if (kind == Kind.WEEKDAY && (bits & 1L << 7) != 0) {
            bits = (bits | 1L) & ~(1L << 7);
        }
        return new CronField(kind, bits, text.indexOf('*') < 0);
    }

    private static long part(Kind kind, String text, String part) {
        var slash = part.indexOf('/');
        var range = slash < 0 ? part : part.substring(0, slash);
        var step = slash < 0 ? 1 : step(kind, text, part.substring(slash + 1));
        var dash = range.indexOf('-');
        if (slash >= 0 && dash < 0 && !range.equals("*")) {
            throw wrong(kind, text, "a step needs a range or a star before it, as in 0-30/10 or */10");
        }
        var least = kind.least;
        var most = kind == Kind.WEEKDAY ? 6 : kind.most;
        if (!range.equals("*")) {
            least = number(kind, text, dash < 0 ? range : range.substring(0, dash));
            most = dash < 0 ? least : number(kind, text, range.substring(dash + 1));
        }
        if (least > most) {
            throw wrong(kind, text, "'" + range + "' goes backwards; write it as two ranges with a comma");
        }
        var bits = 0L;
        for (int i = least; i <= most; i += step) {
            bits |= 1L << i;
        }
        return bits;
    }

    private static int step(Kind kind, String text, String step) {
        var number = digits(step);
        if (number < 1 || number > kind.most) {
            throw wrong(kind, text, "the step '" + step + "' is not a number from 1 to " + kind.most);
        }
        return number;
    }

    private static int number(Kind kind, String text, String part) {
        var names = kind.names();
        var named = names.indexOf(part.toUpperCase(Locale.ROOT));
        var number = named >= 0 ? named + kind.least : digits(part);
        if (number < kind.least || number > kind.most) {
            throw wrong(
                    kind,
                    text,
                    "'" + part + "' is not from " + kind.least + " to " + kind.most
                            + (names.isEmpty() ? "" : " or " + names.getFirst() + " to " + names.getLast()));
        }
        return number;
    }

    /// The number of one or two digits that this is, or -1.
    private static int digits(String text) {
        var plain = text.length() >= 1 && text.length() <= 2 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return plain ? Integer.parseInt(text) : -1;
    }

    private static InvalidRequest wrong(Kind kind, String text, String why) {
        return new InvalidRequest("the " + kind.words + " '" + text + "' cannot be understood: " + why);
    }

    boolean has(int number) {
        return (bits >>> number & 1L) != 0;
    }

    /// The first that is meant from this number on, or -1.
    int from(int number) {
        var left = number > 63 ? 0 : bits >>> number << number;
        return left == 0 ? -1 : Long.numberOfTrailingZeros(left);
    }

    boolean isEverything() {
        var all = kind.most - kind.least + (kind == Kind.WEEKDAY ? 0 : 1);
        return Long.bitCount(bits) == all;
    }
}

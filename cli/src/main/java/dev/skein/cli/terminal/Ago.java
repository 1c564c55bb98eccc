package dev.skein.cli.terminal;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/// How long ago something was, as a person would say it; the date if it is more than a month.
public final class Ago {

    private static final Duration NAMED_MAX = Duration.ofDays(30);

    private Ago() {}

    public static String of(Instant then, Clock clock) {
        var passed = Duration.between(then, clock.instant());
        if (passed.compareTo(Duration.ofMinutes(-1)) < 0) {
            return then.atZone(clock.getZone()).toLocalDate().toString();
        }
        if (passed.toSeconds() < 10) {
            return "just now";
        }
        if (passed.toMinutes() < 1) {
            return passed.toSeconds() + " s ago";
        }
        if (passed.toHours() < 1) {
            return passed.toMinutes() + " min ago";
        }
        if (passed.toDays() < 1) {
            return passed.toHours() + " h ago";
        }
        return passed.compareTo(NAMED_MAX) <= 0
                ? passed.toDays() + (passed.toDays() == 1 ? " day ago" : " days ago")
                : then.atZone(clock.getZone()).toLocalDate().toString();
    }
}

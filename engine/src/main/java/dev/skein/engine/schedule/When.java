package dev.skein.engine.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/// When a schedule is due.
public sealed interface When {

    /// As often as a cron expression has it, by the clocks of a zone.
    record Repeated(Cron cron, ZoneId zone) implements When {
        @Override
        public Optional<Instant> next(Instant after) {
            return cron.next(after, zone);
        }

        @Override
        public String toString() {
            return cron + " (" + zone + ")";
        }
    }

    /// At one moment.
    record Once(Instant moment) implements When {
        @Override
        public Optional<Instant> next(Instant after) {
            return Optional.of(moment).filter(due -> due.isAfter(after));
        }

        @Override
        public String toString() {
            return "once at " + moment;
        }
    }

    /// When it is due first after this moment, if ever.
    Optional<Instant> next(Instant after);

    /// When it was due last, after one moment and not after another. Looks back further and further, so that it does
    /// not matter how often it was due.
    default Optional<Instant> latest(Instant after, Instant until) {
        for (var back = Duration.ofMinutes(2); ; back = back.multipliedBy(8)) {
            var from = until.minus(back).isBefore(after) ? after : until.minus(back);
            var latest = Optional.<Instant>empty();
            for (var next = next(from); next.isPresent() && !next.get().isAfter(until); next = next(next.get())) {
                latest = next;
            }
            if (latest.isPresent() || from.equals(after)) {
                return latest;
            }
        }
    }
}

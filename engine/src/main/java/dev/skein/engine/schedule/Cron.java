package dev.skein.engine.schedule;

import dev.skein.failure.InvalidRequest;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The five fields of a cron expression: minute, hour, day of the month, month, day of the week.
///
/// If both days are restricted, one of them is enough, as cron has it. Where clocks are set forward, what is due in the
/// hour that is left out comes that much later; where they are set back, it comes the first time only. What is due
/// every hour follows no clock on the wall, and so nothing is left out or added.
///
/// @param text as it was written
public record Cron(String text, CronField minutes, CronField hours, CronField days, CronField months, CronField week) {

    /// From one 29th of February to the next there are eight years at most.
    private static final int DAYS_MAX = 366 * 9;

    private static final Map<String, String> NAMED = Map.of(
            "@yearly", "0 0 1 1 *",
            "@annually", "0 0 1 1 *",
            "@monthly", "0 0 1 * *",
            "@weekly", "0 0 * * 0",
            "@daily", "0 0 * * *",
            "@midnight", "0 0 * * *",
            "@hourly", "0 * * * *");

    /// The expression that is written like this.
    ///
    /// @throws InvalidRequest if it cannot be understood, or would never be due; says why
    public static Cron parse(String text) {
        var written = text.strip();
        var fields = List.of(NAMED.getOrDefault(written, written).split("\\s+"));
        if (written.startsWith("@") && !NAMED.containsKey(written)) {
            throw new InvalidRequest("'" + written + "' is no time; there are "
                    + String.join(", ", NAMED.keySet().stream().sorted().toList()));
        }
        if (fields.size() != CronField.Kind.values().length) {
            throw new InvalidRequest(
                    "'" + written + "' has " + fields.size() + " fields, not five: minute, hour, day of"
                            + " the month, month, day of the week; for example '0 9 * * MON-FRI'");
        }
        var cron = new Cron(
                written,
                CronField.parse(CronField.Kind.MINUTE, fields.get(0)),
                CronField.parse(CronField.Kind.HOUR, fields.get(1)),
                CronField.parse(CronField.Kind.DAY, fields.get(2)),
                CronField.parse(CronField.Kind.MONTH, fields.get(3)),
                CronField.parse(CronField.Kind.WEEKDAY, fields.get(4)));
        if (cron.next(Instant.EPOCH, ZoneOffset.UTC).isEmpty()) {
            throw new InvalidRequest("'" + written + "' is never due: none of its months has such a day");
        }
        return cron;
    }

    /// When it is due first after this moment; never only by the end of time.
    public Optional<Instant> next(Instant after, ZoneId zone) {
        var rules = zone.getRules();
        var day = LocalDate.ofInstant(after, zone).minusDays(1);
        for (int i = 0; i < DAYS_MAX; i++, day = day.plusDays(1)) {
            var first = first(day, after, rules);
            if (first != null) {
                // What is left out before midnight may come later than what is due after it.
                var beside = isPlain(day, rules) ? null : first(day.plusDays(1), after, rules);
                return Optional.of(beside != null && beside.isBefore(first) ? beside : first);
            }
        }
        return Optional.empty();
    }

    private @Nullable Instant first(LocalDate day, Instant after, ZoneRules rules) {
        if (!isDue(day)) {
            return null;
        }
        var plain = isPlain(day, rules);
        Instant first = null;
        for (int hour = hours.from(0); hour >= 0; hour = hours.from(hour + 1)) {
            for (int minute = minutes.from(0); minute >= 0; minute = minutes.from(minute + 1)) {
                for (var due : moments(day.atTime(hour, minute), rules)) {
                    if (due.isAfter(after) && (first == null || due.isBefore(first))) {
                        first = due;
                    }
                }
                if (plain && first != null) {
                    return first;
                }
            }
        }
        return first;
    }

    private boolean isDue(LocalDate day) {
        var inMonth = days.has(day.getDayOfMonth());
        var inWeek = week.has(
                day.getDayOfWeek() == DayOfWeek.SUNDAY ? 0 : day.getDayOfWeek().getValue());
        var either = days.isRestricted() && week.isRestricted();
        return months.has(day.getMonthValue()) && (either ? inMonth || inWeek : inMonth && inWeek);
    }

    private List<Instant> moments(LocalDateTime local, ZoneRules rules) {
        var offsets = rules.getValidOffsets(local);
        if (offsets.isEmpty()) {
            return hours.isEverything()
                    ? List.of()
                    : List.of(local.toInstant(rules.getTransition(local).getOffsetBefore()));
        }
        return (hours.isEverything() ? offsets : offsets.subList(0, 1))
                .stream().map(local::toInstant).toList();
    }

    /// Whether no clock is set anywhere near this day.
    private static boolean isPlain(LocalDate day, ZoneRules rules) {
        if (rules.isFixedOffset()) {
            return true;
        }
        var before = day.minusDays(1).atStartOfDay().toInstant(ZoneOffset.UTC);
        var transition = rules.nextTransition(before);
        return transition == null || transition.getInstant().isAfter(before.plus(3, ChronoUnit.DAYS));
    }

    @Override
    public String toString() {
        return text;
    }
}

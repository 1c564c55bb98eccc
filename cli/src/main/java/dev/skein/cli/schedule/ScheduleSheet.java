package dev.skein.cli.schedule;

import dev.skein.cli.program.Program;
import dev.skein.engine.schedule.ScheduleReport;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Objects;

/// A schedule as people read it.
record ScheduleSheet(Program program, ScheduleReport report) {

    private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);

    /// The expression, or how often it is due.
    String when() {
        return Objects.requireNonNullElse(report.cron(), "once");
    }

    String next() {
        return report.next() != null ? local(report.next()) : report.enabled() ? "never again" : "disabled";
    }

    /// How it last came to an end, and what did not even begin since.
    String last() {
        var last = report.last();
        var run = last == null ? "" : last.outcome() + " " + program.ago(last.moment());
        var unrun = report.unrun();
        var none = unrun == null ? "" : unrun.outcome() + " " + program.ago(unrun.moment());
        return run.isEmpty() && none.isEmpty() ? "-" : run + (run.isEmpty() || none.isEmpty() ? "" : ", ") + none;
    }

    /// By the clocks of the schedule's own zone.
    String local(Instant moment) {
        var zone = report.zone() == null ? program.zone() : ZoneId.of(report.zone());
        return MINUTE.format(moment.atZone(zone));
    }
}

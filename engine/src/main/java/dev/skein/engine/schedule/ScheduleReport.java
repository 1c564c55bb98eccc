package dev.skein.engine.schedule;

import dev.skein.engine.schedule.ScheduleSpec.Place;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What people and scripts are told about a schedule. The same on the command line and over HTTP.
///
/// @param cron null if it is due once, as `at` and `zone` are if it is not
/// @param session the name or the id of the session in which it speaks; null if that is a new one each time
/// @param next when it is due next; null for never again
/// @param unrun what was due last and did not run, if that was after the last run
public record ScheduleReport(
        String name,
        String owner,
        boolean enabled,
        @Nullable String cron,
        @Nullable String zone,
        @Nullable Instant at,
        String prompt,
        @Nullable String session,
        @Nullable String agent,
        @Nullable String role,
        @Nullable String model,
        long makeUpSeconds,
        @Nullable Instant next,
        @Nullable Run last,
        @Nullable Unrun unrun) {

    /// A run, and what became of it.
    ///
    /// @param outcome `completed`, `aborted`, `rejected`, `waiting` for a person, or `running`
    public record Run(
            Instant moment,
            String outcome,
            @Nullable String reason,
            String sessionId,
            String loopId,
            @Nullable Instant startedAt,
            @Nullable Instant endedAt) {

        static Run of(LastRun last) {
            return new Run(
                    last.firing().moment(),
                    last.status().toString(),
                    last.reason(),
                    last.session().toString(),
                    last.loop().id().toString(),
                    last.loop().startedAt(),
                    last.loop().endedAt());
        }
    }

    /// A moment at which it did not run.
    ///
    /// @param outcome `skipped`, because the run before went on, or `missed`, because nobody was there
    public record Unrun(Instant moment, String outcome) {}

    public static ScheduleReport of(ScheduleSpec schedule, Firings firings, Instant now) {
        var last = firings.last(schedule);
        var repeated = schedule.when() instanceof When.Repeated found ? found : null;
        return new ScheduleReport(
                schedule.name(),
                schedule.owner(),
                schedule.enabled(),
                repeated == null ? null : repeated.cron().text(),
                repeated == null ? null : repeated.zone().getId(),
                schedule.when() instanceof When.Once(var moment) ? moment : null,
                schedule.prompt(),
                session(schedule.place()),
                schedule.agent(),
                schedule.role(),
                schedule.model() == null ? null : schedule.model().toString(),
                schedule.makeUp().toSeconds(),
                schedule.enabled() ? schedule.when().next(now).orElse(null) : null,
                last.map(Run::of).orElse(null),
                unrun(schedule, last, now).orElse(null));
    }

    private static @Nullable String session(Place place) {
        return switch (place) {
            case Place.Named(var alias) -> alias.text();
            case Place.Known(var id) -> id.toString();
            case Place.Fresh _ -> null;
        };
    }

    /// What is due just now may be about to run.
    private static Optional<Unrun> unrun(ScheduleSpec schedule, Optional<LastRun> last, Instant now) {
        var after = last.map(run -> run.firing().moment())
                .filter(moment -> moment.isAfter(schedule.since()))
                .orElse(schedule.since());
        var until = now.minus(ScheduleSpec.IN_TIME);
        return !schedule.enabled() || !after.isBefore(until)
                ? Optional.empty()
                : schedule.when()
                        .latest(after, until)
                        .map(moment -> new Unrun(
                                moment, last.filter(run -> run.wentOnAt(moment)).isPresent() ? "skipped" : "missed"));
    }
}

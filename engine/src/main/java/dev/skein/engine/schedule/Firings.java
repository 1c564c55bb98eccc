package dev.skein.engine.schedule;

import dev.skein.engine.LoopStarts;
import dev.skein.engine.schedule.ScheduleSpec.Place;
import dev.skein.failure.AliasInUse;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.SessionLocked;
import dev.skein.failure.SessionNotFound;
import dev.skein.session.Scope;
import dev.skein.session.SessionId;
import dev.skein.session.SessionState.RecentKey;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionStore;
import dev.skein.store.SessionSummary;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/// What schedules did, and where they do it. All of it is read from the sessions: there is no other record.
public record Firings(SessionStore store) {

    /// Sessions among which that of the last run is looked for.
    private static final int SESSIONS_MAX = 100;

    /// The session of a firing, made if need be. Under any race, exactly one is made.
    ///
    /// @throws SessionNotFound if it is to be one that is there, and it is not
    public SessionHandle open(ScheduleSpec schedule, Firing firing) {
        var scope = schedule.scope();
        return switch (schedule.place()) {
            case Place.Named(var alias) ->
                store.openOrCreate(NewSession.in(scope).named(alias));
            case Place.Known(var id) -> store.open(located(schedule, id), id);
            case Place.Fresh _ -> fresh(scope, firing);
        };
    }

    private Scope located(ScheduleSpec schedule, SessionId id) {
        return store.locate(schedule.owner(), id).orElseThrow(() -> SessionNotFound.named(id.toString()));
    }

    private SessionHandle fresh(Scope scope, Firing firing) {
        var wanted = NewSession.in(scope).withId(firing.session());
        try {
            return create(wanted, firing);
        } catch (InvalidRequest _) {
            return store.open(scope, firing.session());
        }
    }

    /// Its name is for people: if they gave it to another, it goes without.
    private SessionHandle create(NewSession wanted, Firing firing) {
        try {
            return store.create(wanted.named(firing.alias()));
        } catch (AliasInUse e) {
            if (store.locate(firing.owner(), firing.session()).isPresent()) {
                return store.open(wanted.scope(), firing.session());
            }
            return store.create(wanted);
        }
    }

    /// The newest run of a schedule, whatever became of it. Empty if there is none, or its session is gone.
    public Optional<LastRun> last(ScheduleSpec schedule) {
        var scope = schedule.scope();
        return switch (schedule.place()) {
            case Place.Named(var alias) -> store.resolve(scope, alias).flatMap(id -> last(schedule, scope, id));
            case Place.Known(var id) -> store.locate(schedule.owner(), id).flatMap(home -> last(schedule, home, id));
            case Place.Fresh _ -> newest(schedule).flatMap(firing -> last(schedule, scope, firing.session()));
        };
    }

    private Optional<LastRun> last(ScheduleSpec schedule, Scope scope, SessionId id) {
        try (var session = store.open(scope, id)) {
            var state = session.state();
            return state.keys().reversed().stream()
                    .flatMap(key -> firing(schedule, key).stream())
                    .findFirst()
                    .flatMap(known -> LoopStarts.at(session, known.seq())
                            .flatMap(session::loop)
                            .map(loop -> LastRun.of(known.firing(), state, loop)));
        } catch (SessionNotFound _) {
            return Optional.empty();
        }
    }

    private record Known(Firing firing, long seq) {}

    private static Optional<Known> firing(ScheduleSpec schedule, RecentKey key) {
        return Firing.ofKey(schedule, key.key()).map(firing -> new Known(firing, key.seq()));
    }

    /// Among sessions that are called as those of the schedule are; their ids prove that they are.
    private Optional<Firing> newest(ScheduleSpec schedule) {
        var query = ListQuery.of(schedule.scope())
                .withAlias(Firing.aliasPrefix(schedule.name()))
                .withLimit(SESSIONS_MAX);
        return store.list(query).sessions().stream()
                .flatMap(summary -> ours(schedule, summary))
                .max(Comparator.comparing(Firing::moment));
    }

    private static Stream<Firing> ours(ScheduleSpec schedule, SessionSummary summary) {
        return summary.alias() == null
                ? Stream.of()
                : Firing.ofAlias(schedule, summary.alias())
                        .filter(firing -> firing.session().equals(summary.id()))
                        .stream();
    }

    /// What is to be done about a schedule.
    public sealed interface Duty {
        /// It is to run.
        record Run(Firing firing) implements Duty {}

        /// Its last run was cut off and is to go on.
        record GoOn(Firing firing) implements Duty {}

        /// It is due, but the last run has not come to rest.
        record Skip(Firing firing, String why) implements Duty {}

        record Nothing() implements Duty {}
    }

    /// What is to be done now.
    ///
    /// @param stopped what runs are told when the program ends
    /// @param attempts how often one run is taken up at most
    public Duty duty(ScheduleSpec schedule, Instant now, String stopped, int attempts) {
        var last = last(schedule);
        var due = schedule.due(now)
                .filter(moment -> last.filter(run -> run.settles(moment)).isEmpty())
                .map(moment -> Firing.of(schedule, moment));
        if (last.isEmpty()) {
            return due.<Duty>map(Duty.Run::new).orElseGet(Duty.Nothing::new);
        }
        var run = last.get();
        var cutOff = run.isCutOff(stopped) && (run.status().ended() || !isHeld(run));
        if (due.isPresent()) {
            return cutOff || run.status().ended() ? new Duty.Run(due.get()) : new Duty.Skip(due.get(), why(run));
        }
        var recent = run.lastActivityAt().plus(patience(schedule)).isAfter(now);
        return cutOff && recent && run.firing().attempt() < attempts
                ? new Duty.GoOn(run.firing().again())
                : new Duty.Nothing();
    }

    private static Duration patience(ScheduleSpec schedule) {
        return schedule.makeUp().compareTo(ScheduleSpec.MAKE_UP) < 0 ? ScheduleSpec.MAKE_UP : schedule.makeUp();
    }

    private static String why(LastRun last) {
        return switch (last.status()) {
            case WAITING -> "the run of " + last.firing().moment() + " waits for a person's decision";
            default -> "the run of " + last.firing().moment() + " still goes on";
        };
    }

    /// Whoever runs in a session has its lock.
    private boolean isHeld(LastRun last) {
        try (var session = store.open(last.scope(), last.session());
                var _ = session.lock(Duration.ZERO)) {
            return false;
        } catch (SessionLocked _) {
            return true;
        }
    }
}

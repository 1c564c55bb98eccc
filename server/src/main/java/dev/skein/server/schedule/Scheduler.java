package dev.skein.server.schedule;

import dev.skein.engine.schedule.Firings.Duty;
import dev.skein.engine.schedule.ScheduleSpec;
import dev.skein.engine.schedule.Schedules;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Waits until a schedule is due, and lets it run. It looks every few seconds: so it notices schedules that changed, a
/// clock that was set, and a machine that slept.
///
/// Whether something was run is asked of the sessions. What it remembers spares it work, and keeps it from running a
/// moment again whose session was deleted meanwhile. Safe for use by many threads.
public final class Scheduler implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);
    private static final Duration LOOK = Duration.ofSeconds(10);

    /// How often runs are looked for that another server began and could not end.
    private static final Duration LOOK_FOR_CUT_OFF = Duration.ofMinutes(1);

    private final Schedules schedules;
    private final InstantSource clock;
    private final ScheduledRuns runs;

    /// The newest moment of each schedule about which there is nothing left to do.
    private final Map<String, Instant> done = new HashMap<>();

    /// Those whose sessions are asked what is to be done, or that run here.
    private final Set<String> busy = new HashSet<>();

    /// Those of them that run, and when that was begun.
    private final Map<String, Instant> running = new HashMap<>();

    /// Whether one was due while its session was asked; then it is looked at again as soon as that is over.
    private boolean again;

    private Set<String> problems = Set.of();
    private Instant lookedForCutOff = Instant.MIN;
    private boolean awake;
    private boolean closed;

    public Scheduler(Schedules schedules, InstantSource clock, ScheduledRuns runs) {
        this.schedules = schedules;
        this.clock = clock;
        this.runs = runs;
    }

    public void start() {
        Thread.ofVirtual().name("skein-scheduler").start(this::work);
    }

    /// Lets it look at once.
    public synchronized void wake() {
        awake = true;
        notifyAll();
    }

    /// Begins nothing any more. What runs is the server's to drain.
    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
    }

    private void work() {
        try {
            for (var next = Optional.<Instant>empty(); pause(next); ) {
                next = look();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Whether to go on.
    private synchronized boolean pause(Optional<Instant> next) throws InterruptedException {
        var deadline = System.nanoTime() + LOOK.toNanos();
        var now = clock.instant();
        if (next.isPresent() && next.get().isBefore(now.plus(LOOK))) {
            deadline = System.nanoTime()
                    + Math.max(0, Duration.between(now, next.get()).toNanos());
        }
        if (lookedForCutOff.equals(Instant.MIN)) {
            return !closed;
        }
        for (var left = deadline - System.nanoTime(); !closed && !awake && left > 0; ) {
            wait(left / 1_000_000 + 1);
            left = deadline - System.nanoTime();
        }
        awake = false;
        return !closed;
    }

    /// Lets everything run that is due; says when something is next.
    private Optional<Instant> look() {
        var now = clock.instant();
        var cutOff = !lookedForCutOff.plus(LOOK_FOR_CUT_OFF).isAfter(now);
        lookedForCutOff = cutOff ? now : lookedForCutOff;
        Optional<Instant> next = Optional.empty();
        for (var schedule : listed().schedules()) {
            if (!schedule.enabled()) {
                continue;
            }
            try {
                if (cutOff || isDue(schedule, now)) {
                    begin(schedule, now);
                }
                next = earlier(next, schedule.when().next(now));
            } catch (RuntimeException e) {
                LOG.warn("schedule {}: cannot be looked at, and is tried again: {}", schedule.name(), e.getMessage());
            }
        }
        return next;
    }

    private Schedules.Listing listed() {
        try {
            var listing = schedules.list();
            listing.problems().stream()
                    .filter(problem -> !problems.contains(problem))
                    .forEach(problem -> LOG.error("a schedule is left out: {}", problem));
            problems = Set.copyOf(listing.problems());
            return listing;
        } catch (RuntimeException e) {
            LOG.error("schedules cannot be read, and are tried again: {}", e.getMessage());
            return Schedules.NONE.list();
        }
    }

    private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
        return one.isEmpty() || (other.isPresent() && other.get().isBefore(one.get())) ? other : one;
    }

    private synchronized boolean isDue(ScheduleSpec schedule, Instant now) {
        return schedule.due(now).filter(moment -> isLeft(schedule, moment)).isPresent();
    }

    private synchronized boolean isLeft(ScheduleSpec schedule, Instant moment) {
        return moment.isAfter(done.getOrDefault(schedule.name(), Instant.MIN));
    }

    /// A schedule that runs here is skipped without asking its session.
    private void begin(ScheduleSpec schedule, Instant now) {
        synchronized (this) {
            if (closed) {
                return;
            }
            if (!busy.add(schedule.name())) {
                skip(schedule, now);
                return;
            }
        }
        Thread.ofVirtual().name("skein-schedule").start(() -> {
            try {
                run(schedule, now);
            } finally {
                ended(schedule);
            }
        });
    }

    private void skip(ScheduleSpec schedule, Instant now) {
        var begun = running.get(schedule.name());
        if (begun == null) {
            again = true;
            return;
        }
        var since = done.getOrDefault(schedule.name(), begun);
        schedule.due(now)
                .filter(moment -> moment.isAfter(begun) && moment.isAfter(since))
                .ifPresent(moment -> {
                    done.put(schedule.name(), moment);
                    runs.skipped(schedule, moment, "the run before it still goes on");
                });
    }

    private void run(ScheduleSpec schedule, Instant now) {
        try {
            var duty = runs.duty(schedule, now);
            switch (duty) {
                case Duty.Run(var firing) -> {
                    if (isLeft(schedule, firing.moment())) {
                        runs(schedule, now);
                        settle(schedule, firing.moment(), runs.run(schedule, firing));
                    }
                }
                case Duty.GoOn(var firing) -> {
                    runs(schedule, now);
                    settle(schedule, firing.moment(), runs.goOn(schedule, firing));
                }
                case Duty.Skip(var firing, var why) -> {
                    settle(schedule, firing.moment(), true);
                    runs.skipped(schedule, firing.moment(), why);
                }
                case Duty.Nothing _ -> schedule.due(now).ifPresent(moment -> settle(schedule, moment, true));
            }
        } catch (RuntimeException e) {
            LOG.warn("schedule {}: is tried again: {}", schedule.name(), e.getMessage());
        }
    }

    private synchronized void settle(ScheduleSpec schedule, Instant moment, boolean done) {
        if (done) {
            this.done.merge(schedule.name(), moment, (one, other) -> one.isAfter(other) ? one : other);
        }
    }

    private synchronized void runs(ScheduleSpec schedule, Instant now) {
        running.put(schedule.name(), now);
    }

    private synchronized void ended(ScheduleSpec schedule) {
        busy.remove(schedule.name());
        running.remove(schedule.name());
        awake |= again;
        again = false;
        notifyAll();
    }
}

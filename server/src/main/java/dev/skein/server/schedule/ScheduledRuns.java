package dev.skein.server.schedule;

import dev.skein.engine.RunRequest;
import dev.skein.engine.schedule.Firing;
import dev.skein.engine.schedule.Firings;
import dev.skein.engine.schedule.Firings.Duty;
import dev.skein.engine.schedule.ScheduleSpec;
import dev.skein.failure.SessionLocked;
import dev.skein.failure.SkeinException;
import dev.skein.failure.StorageFailed;
import dev.skein.live.RunOutcome;
import dev.skein.message.Part;
import dev.skein.server.gate.Gate;
import dev.skein.server.http.Exchange;
import dev.skein.server.http.HttpFailure;
import dev.skein.server.run.Completion;
import dev.skein.server.run.RunStarter;
import dev.skein.server.run.RunStarter.Held;
import dev.skein.server.stream.Retold;
import dev.skein.server.stream.Telling;
import dev.skein.server.trace.Traces;
import dev.skein.server.trace.Traces.Incoming;
import dev.skein.session.SessionSettings;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.event.Level;

/// The runs of schedules, each like that of a request, but that nobody waits for it.
public record ScheduledRuns(RunStarter starter, Traces traces) {

    /// What runs are told when the server stops; one of a schedule that ended so is taken up again.
    public static final String STOPPED = "the server stops";

    private static final Logger LOG = LoggerFactory.getLogger(ScheduledRuns.class);
    private static final String SKIPPED = "skipped";
    private static final String FAILED = "failed";

    /// How often one run is taken up, so that one that ends its server does not do so for ever.
    private static final int ATTEMPTS = 3;

    Firings firings() {
        return new Firings(starter.backend().store());
    }

    Duty duty(ScheduleSpec schedule, Instant now) {
        return firings().duty(schedule, now, STOPPED, ATTEMPTS);
    }

    /// Says what the schedule has to say. Whether nothing is left to do about it.
    boolean run(ScheduleSpec schedule, Firing firing) {
        return fire(
                schedule,
                firing,
                settings -> starter.backend()
                        .app()
                        .prompt(settings, schedule.overrides(), List.of(new Part.Text(schedule.prompt()))));
    }

    /// Takes up a run that was cut off. Whether nothing is left to do about it.
    boolean goOn(ScheduleSpec schedule, Firing firing) {
        LOG.info("schedule {}: the run of {} was cut off and goes on", schedule.name(), firing.moment());
        return fire(schedule, firing, _ -> new RunRequest.Continue());
    }

    void skipped(ScheduleSpec schedule, Instant moment, String why) {
        starter.meters().scheduledRun(SKIPPED);
        LOG.warn("schedule {}: the run of {} is skipped: {}", schedule.name(), moment, why);
    }

    /// The request, by what its session sets.
    private interface Wish {
        RunRequest of(SessionSettings settings);
    }

    private boolean fire(ScheduleSpec schedule, Firing firing, Wish wish) {
        var id = starter.backend().ids().request();
        var spoken = new AtomicBoolean();
        var outcome = new AtomicReference<@Nullable RunOutcome>();
        MDC.put(Gate.REQUEST_ID, id);
        try (var span = traces.request(new Incoming("RUN", "schedule " + schedule.name(), id, null))) {
            var session = firings().open(schedule, firing);
            starter.unasked(
                    id,
                    span,
                    Held.of(session),
                    new Completion(schedule.overrides(), false, true, Map.of(), Telling.OWN),
                    firing.ticket(Map.of(Retold.REQUEST, id)),
                    (context, feed) -> {
                        var request = wish.of(context.session().state().settings());
                        outcome.set(starter.backend().engine().run(context, request, event -> {
                            spoken.set(true);
                            feed.emit(event);
                        }));
                        return Exchange.object();
                    });
        } catch (SessionLocked | StorageFailed | HttpFailure e) {
            LOG.info("schedule {}: the run of {} is tried again: {}", schedule.name(), firing.moment(), e.getMessage());
            return false;
        } catch (SkeinException e) {
            told(schedule, firing, FAILED, e.getMessage());
            return true;
        } finally {
            MDC.clear();
        }
        // Who has not spoken was told of a run that another server had begun.
        var ended = outcome.get();
        if (spoken.get() && ended != null) {
            told(schedule, firing, ended.status().toString(), ended.reason());
        }
        return true;
    }

    private void told(ScheduleSpec schedule, Firing firing, String outcome, @Nullable String reason) {
        starter.meters().scheduledRun(outcome);
        LOG.atLevel(outcome.equals(FAILED) ? Level.WARN : Level.INFO)
                .log(
                        "schedule {}: the run of {} is {}{}",
                        schedule.name(),
                        firing.moment(),
                        outcome,
                        reason == null ? "" : ": " + reason);
    }
}

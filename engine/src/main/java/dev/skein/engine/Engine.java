package dev.skein.engine;

import dev.skein.engine.compaction.Compaction;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.ModelFailed;
import dev.skein.live.LiveEvent;
import dev.skein.message.Cost;
import dev.skein.message.Message;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.message.Usage;
import dev.skein.session.CompactionBlock;
import dev.skein.session.Continuation;
import dev.skein.session.Ids;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.session.LoopPointer;
import dev.skein.session.LoopRecord;
import dev.skein.session.LoopStatus;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionState;
import dev.skein.session.Trigger;
import dev.skein.store.SessionHandle;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Drives sessions. Holds no state of its own: kill it at any line and a new one carries on.
///
/// Safe for use by many threads; the sessions' own locks let one run at a time through.
public final class Engine {

    private final Clock clock;
    private final Ids ids;
    private final RandomGenerator random;
    private final Pause pause;
    private final Duration lockWait;

    public Engine(Clock clock, RandomGenerator random, Pause pause, Duration lockWait) {
        this.clock = clock;
        this.random = random;
        this.ids = new Ids(clock, random);
        this.pause = pause;
        this.lockWait = lockWait;
    }

    /// Does what is asked and returns when the session rests. The only way to a model.
    ///
    /// @throws dev.skein.failure.SessionLocked if another run does not end in time
    /// @throws dev.skein.failure.ModelFailed if the model fails for good; what was finished is kept
    /// @throws dev.skein.failure.LimitReached if the run used up what it was allowed; `Continue` goes on
    public RunOutcome run(RunContext context, RunRequest request) {
        try (var guard = context.session().lock(lockWait)) {
            var log = new RunLog(guard, context.emitter());
            if (request instanceof RunRequest.Continue) {
                var waiting = waiting(context.session(), log.state().head());
                if (waiting != null) {
                    return resume(context, log, waiting);
                }
            }
            endInterruptedLoops(log);
            compactIfDue(context, log);
            return switch (request) {
                case RunRequest.Prompt prompt -> prompt(context, log, prompt);
                case RunRequest.Continue _ -> goOn(context, log);
                case RunRequest.Regenerate _ -> regenerate(context, log);
            };
        }
    }

    /// Runs one prompt with several settings side by side and goes on from the one chosen. All branches are kept.
    public ParallelOutcome parallel(
            RunContext context, RunRequest.Prompt prompt, List<RunSettings> settings, Choice choice) {
        try (var guard = context.session().lock(lockWait)) {
            var log = new RunLog(guard, context.emitter());
            endInterruptedLoops(log);
            requireNothingWaits(log.state());
            return new ParallelRun(this, context, log, settings).run(prompt, choice);
        }
    }

    /// Shows the older part of the conversation as a summary from now on. Empty if it is too short for that.
    public Optional<CompactionBlock> compress(RunContext context, Compaction compaction) {
        try (var guard = context.session().lock(lockWait)) {
            return compact(context, new RunLog(guard, context.emitter()), compaction);
        }
    }

    /// Shows the originals again that a summary stood for.
    public void removeSummary(SessionHandle session, String block) {
        try (var guard = session.lock(lockWait)) {
            guard.append(List.of(new SessionEvent.CompactionBlockRemoved(clock.instant(), block)));
        }
    }

    /// Takes the last exchange back: the conversation goes on from before it. Nothing is deleted.
    public void undo(SessionHandle session) {
        try (var guard = session.lock(lockWait)) {
            requireNothingWaits(guard.state());
            var head = record(session, guard.state().head());
            guard.append(List.of(new SessionEvent.HeadMoved(clock.instant(), head.parentPointer(), "undo")));
        }
    }

    /// Answers a tool call that waits for a person. `Continue` then carries the run on, here or anywhere.
    public void decide(
            SessionHandle session, ToolCallId call, boolean approved, @Nullable String by, @Nullable String note) {
        try (var guard = session.lock(lockWait)) {
            var waiting = guard.state().open().stream()
                    .filter(loop -> loop.waitingFor().contains(call))
                    .findFirst()
                    .orElseThrow(() -> new InvalidRequest(
                            "no tool call '" + call + "' waits for a decision; list the approvals to see which do"));
            guard.append(
                    List.of(new LoopEvent.ApprovalGiven(clock.instant(), waiting.loop(), call, approved, by, note)));
        }
    }

    Clock clock() {
        return clock;
    }

    Ids ids() {
        return ids;
    }

    RandomGenerator random() {
        return random;
    }

    Pause pause() {
        return pause;
    }

    /// Whoever holds the lock knows that no other run is alive: a loop that never ended was interrupted.
    private void endInterruptedLoops(RunLog log) {
        var ends = new ArrayList<SessionEvent>();
        for (var loop : log.state().open()) {
            if (loop.status() == LoopStatus.RUNNING || loop.status() == LoopStatus.PENDING) {
                ends.add(new LoopEvent.LoopEnded(
                        clock.instant(), loop.loop(), LoopStatus.ABORTED, "the run was interrupted", null, null));
            }
        }
        if (!ends.isEmpty()) {
            log.append(ends);
        }
    }

    private RunOutcome prompt(RunContext context, RunLog log, RunRequest.Prompt prompt) {
        requireNothingWaits(log.state());
        var message = new Message(ids.message(), Role.USER, clock.instant(), prompt.parts(), null, Map.of());
        var loop = ids.loop();
        var loopLog = log.of(loop);
        var head = log.state().head();
        var start =
                started(context, loop, head, head == null ? Continuation.INITIAL : Continuation.DEFAULT, Trigger.USER);
        for (var filter : context.settings().filters()) {
            switch (filter.look(message)) {
                case InputFilter.Verdict.Pass _ -> {}
                case InputFilter.Verdict.Warn(var text) -> loopLog.live(new LiveEvent.Warning(text));
                case InputFilter.Verdict.Reject(var reason) -> {
                    return reject(context, loopLog, start, reason);
                }
            }
        }
        return begin(context, loopLog, List.of(start, new LoopEvent.MessageEnded(message.at(), loop, 0, message)), loop)
                .drive(0, PendingCalls.NONE, Trigger.USER);
    }

    private RunOutcome reject(RunContext context, RunLog log, LoopEvent.LoopStarted start, String reason) {
        var now = clock.instant();
        log.append(
                List.of(
                        start,
                        new LoopEvent.InputRejected(now, start.loop(), reason),
                        new LoopEvent.LoopEnded(now, start.loop(), LoopStatus.REJECTED, reason, null, null)),
                new LiveEvent.Finished(LoopStatus.REJECTED.toString(), ""));
        return new RunOutcome(
                context.session().id(), start.loop(), LoopStatus.REJECTED, reason, null, 0, Usage.NONE, Cost.NONE);
    }

    /// Before the model is asked, so that what it is asked fits. A summary that fails is not worth failing for.
    private void compactIfDue(RunContext context, RunLog log) {
        var compaction = context.settings().compaction();
        if (compaction == null
                || !compaction.isDue(context.settings()
                        .model()
                        .tokens(context.session()
                                .context(context.settings().window())
                                .messages()))) {
            return;
        }
        try {
            compact(context, log, compaction);
        } catch (ModelFailed e) {
            log.live(new LiveEvent.Warning("the conversation was not summarised: " + e.getMessage()));
        }
    }

    private Optional<CompactionBlock> compact(RunContext context, RunLog log, Compaction compaction) {
        var session = context.session().load();
        log.live(new LiveEvent.SessionCompressing());
        var block = compaction.blockFor(session, ids, clock.instant(), context.cancellation());
        block.ifPresent(made -> log.append(
                List.of(new SessionEvent.CompactionBlockSet(clock.instant(), made)),
                new LiveEvent.SessionCompressed()));
        return block;
    }

    /// The head, if it rests only because a person had or has to decide.
    private static @Nullable LoopRecord waiting(SessionHandle session, @Nullable LoopPointer head) {
        var record = head == null ? null : session.loop(head).orElse(null);
        if (record == null || record.status().ended()) {
            return null;
        }
        var decided = record.events().getLast().event() instanceof LoopEvent.ApprovalGiven;
        return record.status() == LoopStatus.WAITING || decided ? record : null;
    }

    /// A loop that waited goes on itself.
    private RunOutcome resume(RunContext context, RunLog log, LoopRecord loop) {
        var loopLog = log.of(loop.id());
        loopLog.live(new LiveEvent.Started());
        return new LoopRun(this, context, loopLog, loop.pointer())
                .drive(lastTurn(loop), PendingCalls.in(loop), Trigger.CONTINUATION);
    }

    /// After a loop that ended early, a new one takes over its unanswered calls.
    private RunOutcome goOn(RunContext context, RunLog log) {
        var head = record(context.session(), log.state().head());
        var pending = PendingCalls.in(head);
        if (head.status() == LoopStatus.COMPLETED) {
            throw new InvalidRequest("the last answer is complete; there is nothing to continue");
        }
        var loop = ids.loop();
        var start = started(context, loop, head.pointer(), Continuation.DEFAULT, Trigger.CONTINUATION);
        return begin(context, log.of(loop), List.of(start), loop).drive(0, pending, Trigger.CONTINUATION);
    }

    /// The same prompt again, as a sibling of the loop that answered it.
    private RunOutcome regenerate(RunContext context, RunLog log) {
        requireNothingWaits(log.state());
        var head = record(context.session(), log.state().head());
        var prompt = head.messages().stream()
                .filter(message -> message.role() == Role.USER)
                .findFirst()
                .orElseThrow(() -> new InvalidRequest("the last loop had no prompt of its own; continue it instead"));
        var loop = ids.loop();
        var again = new Message(ids.message(), Role.USER, clock.instant(), prompt.parts(), null, prompt.metadata());
        var start = started(context, loop, head.parentPointer(), Continuation.rerun(clock.instant()), Trigger.USER);
        return begin(
                        context,
                        log.of(loop),
                        List.of(start, new LoopEvent.MessageEnded(again.at(), loop, 0, again)),
                        loop)
                .drive(0, PendingCalls.NONE, Trigger.USER);
    }

    /// Makes the start of a loop durable. It is the first of the events.
    private LoopRun begin(RunContext context, RunLog log, List<SessionEvent> events, LoopId loop) {
        var appended = log.append(events, new LiveEvent.Started());
        return new LoopRun(this, context, log, new LoopPointer(loop, appended.first()));
    }

    LoopEvent.LoopStarted started(
            RunContext context, LoopId loop, @Nullable LoopPointer parent, Continuation continuation, Trigger trigger) {
        var settings = context.settings();
        return new LoopEvent.LoopStarted(
                clock.instant(),
                loop,
                parent == null ? null : parent.loop(),
                parent == null ? null : parent.seq(),
                continuation,
                trigger,
                context.session().scope().agent(),
                settings.model().snapshot(settings.sampling()),
                Map.of());
    }

    private static LoopRecord record(SessionHandle session, @Nullable LoopPointer head) {
        var record = head == null ? null : session.loop(head).orElse(null);
        if (record == null) {
            throw new InvalidRequest("the session is empty; say something first");
        }
        return record;
    }

    private static void requireNothingWaits(SessionState state) {
        for (var loop : state.open()) {
            if (!loop.waitingFor().isEmpty()) {
                throw new InvalidRequest("tool call '" + loop.waitingFor().getFirst()
                        + "' waits for a decision; approve or deny it first");
            }
        }
    }

    private static int lastTurn(LoopRecord loop) {
        return loop.said().isEmpty() ? 0 : loop.said().getLast().turn();
    }
}

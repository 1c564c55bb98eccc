package dev.skein.engine;

import dev.skein.cancellation.Cancellation;
import dev.skein.engine.RunOptions.Compacting;
import dev.skein.engine.compaction.Compaction;
import dev.skein.engine.retrieval.Grounding;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.ModelFailed;
import dev.skein.failure.RagFailed;
import dev.skein.failure.SessionLocked;
import dev.skein.live.Emitter;
import dev.skein.live.LiveEvent;
import dev.skein.live.RunOutcome;
import dev.skein.message.Message;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.model.ModelRequest;
import dev.skein.model.TokenEstimate;
import dev.skein.session.CompactionBlock;
import dev.skein.session.ContextView;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.session.LoopPointer;
import dev.skein.session.LoopRecord;
import dev.skein.session.LoopStatus;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionSettings;
import dev.skein.session.SessionState;
import dev.skein.session.Trigger;
import dev.skein.store.SessionGuard;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Drives sessions. Holds no state that counts: kill it at any line and a new one carries on.
///
/// Safe for use by many threads; the sessions' own locks let one run at a time through.
public final class Engine implements AutoCloseable {

    private final Workings workings;
    private final Background background = new Background();
    private final Autoname autoname;

    public Engine(SessionStore store, Workings workings) {
        this.workings = workings;
        this.autoname = new Autoname(store, workings);
    }

    /// Does what is asked and returns when the session rests. The only way to a model.
    ///
    /// @throws dev.skein.failure.SessionLocked if another run does not end in time
    /// @throws dev.skein.failure.ModelFailed if the model fails for good; what was finished is kept
    /// @throws dev.skein.failure.OutputInvalid if the model does not give the answer the shape it must have
    /// @throws dev.skein.failure.LimitReached if the run used up what it was allowed; `Continue` goes on
    public RunOutcome run(RequestContext context, RunRequest request, Emitter emitter) {
        RunOutcome outcome;
        try (var _ = KeptTools.of(context.settings().tools());
                var _ = stoppedFromAnywhere(context)) {
            outcome = locked(context, request, emitter);
        }
        afterwards(context, emitter, outcome);
        return outcome;
    }

    /// Whoever asks for the end may be on another machine.
    private static Cancellation.Registration stoppedFromAnywhere(RequestContext context) {
        return context.session().onStopAsked(() -> context.cancellation().cancel("cancelled by request"));
    }

    private RunOutcome locked(RequestContext context, RunRequest request, Emitter emitter) {
        background.awaitCompaction(context.session().id(), context.cancellation());
        try (var guard = lock(context)) {
            var log = new RunLog(guard, context, emitter);
            if (request instanceof RunRequest.Continue) {
                var waiting = waiting(context.session(), log.state().head());
                if (waiting != null) {
                    return resume(context, log, waiting);
                }
            }
            endInterruptedLoops(log);
            var earlier = context.ticket().earlier(context.session(), log.state());
            if (earlier.isPresent()) {
                return RunOutcome.of(earlier.get());
            }
            requireNothingWaits(log.state());
            var next = Next.of(request, context.session(), log.state());
            var compressed = compactIfDue(context, log);
            return begin(next.shaped(context), log, next, compressed);
        }
    }

    /// Exactly what the model would be asked. Nothing is sent, and the session stays as it is.
    public ModelRequest preview(RequestContext context, RunRequest request) {
        var next = Next.of(request, context.session(), context.session().state());
        var settings = next.shaped(context).settings();
        var view = next.parent() == null
                ? List.<Message>of()
                : context.session().context(next.parent(), settings.window()).messages();
        var messages = new ArrayList<>(view);
        var prompt = next.prompt(workings.ids(), now(), settings.redaction()).orElse(null);
        if (prompt != null) {
            messages.add(prompt);
        }
        var first = Math.max(0, messages.size() - settings.window());
        while (first < messages.size() && messages.get(first).role() == Role.TOOL) {
            first++;
        }
        return Asked.of(settings, messages.subList(first, messages.size()), grounding(context, null, next, prompt));
    }

    /// Runs one prompt with several settings side by side and goes on from the one chosen. All branches are kept.
    public ParallelOutcome parallel(
            RequestContext context,
            RunRequest.Prompt prompt,
            List<RunSettings> settings,
            Choice choice,
            Emitter emitter) {
        var tools = settings.stream().flatMap(each -> each.tools().stream()).toList();
        try (var _ = KeptTools.of(tools);
                var _ = stoppedFromAnywhere(context);
                var guard = lock(context)) {
            var log = new RunLog(guard, context, emitter);
            endInterruptedLoops(log);
            requireNothingWaits(log.state());
            return new ParallelRun(workings, context, log, settings).run(prompt, choice);
        }
    }

    /// Shows the older part of the conversation as a summary from now on. Empty if it is too short for that.
    public Optional<CompactionBlock> compress(RequestContext context, Compaction compaction, Emitter emitter) {
        background.awaitCompaction(context.session().id(), context.cancellation());
        try (var _ = stoppedFromAnywhere(context);
                var guard = lock(context)) {
            return compact(context, new RunLog(guard, context, emitter), compaction);
        }
    }

    /// Shows the originals again that a summary stood for.
    public void removeSummary(SessionHandle session, String block) {
        try (var guard = session.lock(workings.lockWait())) {
            guard.append(List.of(new SessionEvent.CompactionBlockRemoved(now(), block)));
        }
    }

    /// Takes the last exchange back: the conversation goes on from before it. Nothing is deleted.
    public void undo(SessionHandle session) {
        try (var guard = session.lock(workings.lockWait())) {
            requireNothingWaits(guard.state());
            var head = Next.head(session, guard.state());
            guard.append(List.of(new SessionEvent.HeadMoved(now(), head.parentPointer(), "undo")));
        }
    }

    /// Begins the conversation afresh. What was said stays in the journal.
    public void empty(SessionHandle session) {
        try (var guard = session.lock(workings.lockWait())) {
            requireNothingWaits(guard.state());
            guard.append(List.of(new SessionEvent.SessionCleared(now())));
        }
    }

    /// Changes what the session sets for its loops.
    public void configure(SessionHandle session, UnaryOperator<SessionSettings> change) {
        try (var guard = session.lock(workings.lockWait())) {
            var settings = change.apply(guard.state().settings());
            guard.append(List.of(new SessionEvent.SessionConfigured(now(), settings)));
        }
    }

    /// Answers a tool call that waits for a person. `Continue` then carries the run on, here or anywhere.
    ///
    /// @param note what the model is told beside a no; the answer, if the call is a question
    public void decide(
            SessionHandle session, ToolCallId call, boolean approved, @Nullable String by, @Nullable String note) {
        try (var guard = session.lock(workings.lockWait())) {
            var waiting = guard.state().open().stream()
                    .filter(loop -> loop.waitingFor().contains(call))
                    .findFirst()
                    .orElseThrow(() -> new InvalidRequest(
                            "no tool call '" + call + "' waits for a decision; list the approvals to see which do"));
            guard.append(List.of(new LoopEvent.ApprovalGiven(now(), waiting.loop(), call, approved, by, note)));
        }
    }

    /// Waits for what is done in the background, but not for ever.
    @Override
    public void close() {
        background.close();
    }

    /// Waits for the session's turn; whoever is cancelled meanwhile waits no longer.
    private SessionGuard lock(RequestContext context) {
        var waiting = Thread.currentThread();
        var cancellation = context.cancellation();
        try (var _ = cancellation.onCancel(waiting::interrupt)) {
            return context.session().lock(workings.lockWait());
        } catch (SessionLocked e) {
            cancellation.check();
            throw e;
        } finally {
            if (cancellation.isCancelled()) {
                var _ = Thread.interrupted();
            }
        }
    }

    /// Whoever holds the lock knows that no other run is alive: a loop that never ended was interrupted.
    private void endInterruptedLoops(RunLog log) {
        var ends = new ArrayList<SessionEvent>();
        for (var loop : log.state().open()) {
            if (loop.status() == LoopStatus.RUNNING || loop.status() == LoopStatus.PENDING) {
                ends.add(new LoopEvent.LoopEnded(
                        now(), loop.loop(), LoopStatus.ABORTED, "the run was interrupted", null, null));
            }
        }
        if (!ends.isEmpty()) {
            log.append(ends);
        }
    }

    /// Makes the start of a loop durable, and drives it.
    private RunOutcome begin(RequestContext context, RunLog log, Next next, boolean compressed) {
        var loop = next.loop(workings.ids());
        var loopLog = log.of(loop);
        var prompt = next.prompt(workings.ids(), now(), context.settings().redaction())
                .orElse(null);
        if (prompt != null) {
            for (var filter : context.settings().filters()) {
                switch (filter.look(prompt)) {
                    case InputFilter.Verdict.Pass _ -> {}
                    case InputFilter.Verdict.Warn(var text) -> loopLog.live(new LiveEvent.Warning(text));
                    case InputFilter.Verdict.Reject(var reason) -> {
                        return reject(context, loopLog, loop, next, reason);
                    }
                }
            }
        }
        var grounding = grounding(context, loopLog, next, prompt);
        var events = new ArrayList<SessionEvent>();
        events.add(next.started(workings, context, loop, grounding, compressed));
        if (prompt != null) {
            events.add(new LoopEvent.MessageEnded(prompt.at(), loop, 0, prompt));
        }
        var pointer = new LoopPointer(loop, loopLog.begin(events).first());
        return new LoopRun(workings, context, loopLog, pointer, grounding, compressed)
                .drive(0, next.pending(), next.trigger());
    }

    /// What was found for the prompt; for a loop that takes an earlier one further, what was found for that.
    private static Grounding grounding(
            RequestContext context, @Nullable RunLog log, Next next, @Nullable Message prompt) {
        if (prompt != null) {
            return Grounding.found(context.settings().retriever(), prompt, context.cancellation());
        }
        var earlier = Optional.ofNullable(next.parent())
                .flatMap(parent -> context.session().loop(parent))
                .orElse(null);
        return earlier == null ? Grounding.NONE : groundingOf(context, log, earlier);
    }

    /// Half an answer is better finished without its passages than not at all.
    private static Grounding groundingOf(RequestContext context, @Nullable RunLog log, LoopRecord loop) {
        try {
            return Grounding.again(context.settings().retriever(), loop);
        } catch (RagFailed e) {
            if (log != null) {
                log.live(new LiveEvent.Warning("going on without the documents: " + e.getMessage()));
            }
            return Grounding.NONE;
        }
    }

    private RunOutcome reject(RequestContext context, RunLog log, LoopId loop, Next next, String reason) {
        log.begin(List.of(
                next.started(workings, context, loop, Grounding.NONE, false),
                new LoopEvent.InputRejected(now(), loop, reason),
                new LoopEvent.LoopEnded(now(), loop, LoopStatus.REJECTED, reason, null, null)));
        var outcome = RunOutcome.unasked(context.session().id(), loop, LoopStatus.REJECTED, reason);
        log.finished(outcome);
        return outcome;
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

    /// A loop that waited goes on itself, towards the answer that it was to give.
    private RunOutcome resume(RequestContext context, RunLog log, LoopRecord loop) {
        var loopLog = log.of(loop.id());
        loopLog.live(new LiveEvent.Started());
        var turn = loop.said().isEmpty() ? 0 : loop.said().getLast().turn();
        var shaped = context.with(context.settings().withShape(loop.outputShape()));
        return new LoopRun(workings, shaped, loopLog, loop.pointer(), groundingOf(context, loopLog, loop), false)
                .drive(turn, PendingCalls.in(loop), Trigger.CONTINUATION);
    }

    /// Before the model is asked, so that what it is asked fits. A summary that fails is not worth failing for.
    private boolean compactIfDue(RequestContext context, RunLog log) {
        var compaction = context.settings().compaction();
        if (compaction == null || context.options().compaction() != Compacting.BEFORE || !isDue(context, compaction)) {
            return false;
        }
        try {
            return compact(context, log, compaction).isPresent();
        } catch (ModelFailed e) {
            log.live(new LiveEvent.Warning("the conversation was not summarised: " + e.getMessage()));
            return false;
        }
    }

    private static boolean isDue(RequestContext context, Compaction compaction) {
        var settings = context.settings();
        var model = settings.model();
        var messages = context.session().context(settings.window()).messages();
        // A tokenizer takes a second to load, so it is not asked about what is too short at a token a character.
        return compaction.isDue(TokenEstimate.most(messages), model.contextWindow())
                && compaction.isDue(model.tokens(messages), model.contextWindow());
    }

    private Optional<CompactionBlock> compact(RequestContext context, RunLog log, Compaction compaction) {
        log.live(new LiveEvent.SessionCompressing());
        var state = log.state();
        var view = context.session().context(ContextView.ALL);
        var block = compaction.blockFor(view, state.compaction(), workings.ids(), now(), context.cancellation());
        block.ifPresent(made -> log.append(List.of(new SessionEvent.CompactionBlockSet(now(), made))));
        return block;
    }

    /// What a session at rest gets, while nobody waits for it.
    private void afterwards(RequestContext context, Emitter emitter, RunOutcome outcome) {
        if (outcome.status() != LoopStatus.COMPLETED) {
            return;
        }
        if (context.options().autoname() && context.session().state().alias() == null) {
            background.run(
                    "the naming of session " + context.session().id(),
                    closing -> autoname.name(context.with(closing), emitter));
        }
        var compaction = context.settings().compaction();
        if (compaction != null
                && context.options().compaction() == Compacting.BACKGROUND
                && isDue(context, compaction)) {
            background.compact(
                    context.session().id(), closing -> compactAside(context.with(closing), compaction, emitter));
        }
    }

    /// Nobody else waits while the summary is made. If the conversation was summarised meanwhile, that one counts.
    private void compactAside(RequestContext context, Compaction compaction, Emitter emitter) {
        var before = context.session().state();
        RunLog.tell(context, emitter, before, new LiveEvent.SessionCompressing());
        var view = context.session().context(ContextView.ALL);
        var block = compaction.blockFor(view, before.compaction(), workings.ids(), now(), context.cancellation());
        if (block.isEmpty()) {
            return;
        }
        try (var guard = lock(context)) {
            if (Objects.equals(guard.state().compaction(), before.compaction())) {
                new RunLog(guard, context, emitter)
                        .append(List.of(new SessionEvent.CompactionBlockSet(now(), block.get())));
            }
        }
    }

    private static void requireNothingWaits(SessionState state) {
        for (var loop : state.open()) {
            if (!loop.waitingFor().isEmpty()) {
                throw new InvalidRequest("tool call '" + loop.waitingFor().getFirst()
                        + "' waits for a decision; approve or deny it first");
            }
        }
    }

    private Instant now() {
        return workings.clock().instant();
    }
}

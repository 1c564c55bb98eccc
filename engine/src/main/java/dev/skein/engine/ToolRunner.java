package dev.skein.engine;

import static java.util.Objects.requireNonNullElse;

import dev.skein.engine.RunOptions.Asking;
import dev.skein.engine.permission.Permissions;
import dev.skein.live.LiveEvent;
import dev.skein.live.RunOutcome.ToolUse;
import dev.skein.message.Excerpt;
import dev.skein.message.Part;
import dev.skein.message.ToolCallId;
import dev.skein.session.ChildLoopRef;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.session.LoopPointer;
import dev.skein.tool.Caution;
import dev.skein.tool.Question;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolOutcome.Waits.Ask;
import dev.skein.tool.ToolRequest;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Brings the tool calls of a turn to their end: asks the permissions, starts what may run, records each end when it
/// comes.
///
/// That a tool starts is durable before it does, and its result before the model sees it. So after a crash it is
/// known which calls are finished, which were begun, and which never ran.
final class ToolRunner {

    /// How much of what was said before a tool can look at.
    private static final int CONVERSATION = 1_000;

    private final Clock clock;
    private final RequestContext context;
    private final RunLog log;
    private final LoopPointer pointer;
    private final LoopId loop;
    private final HookCalls hooks;
    private final Map<String, Tool> tools;
    private final Map<ToolCallId, ToolUse> ended = new ConcurrentHashMap<>();
    private volatile boolean passedOn;

    ToolRunner(Clock clock, RequestContext context, RunLog log, LoopPointer pointer) {
        this.clock = clock;
        this.context = context;
        this.log = log;
        this.pointer = pointer;
        this.loop = pointer.loop();
        this.hooks = new HookCalls(context.settings().hooks(), log);
        this.tools = context.settings().tools().stream()
                .collect(Collectors.toMap(tool -> tool.spec().name(), tool -> tool, (_, last) -> last));
    }

    /// Those that came to their end, and whether others wait for a person.
    record Settled(List<ToolUse> uses, boolean waits) {}

    /// Brings the calls as far as they can go.
    Settled settle(PendingCalls pending, int turn) {
        var runnable = new ArrayList<Part.ToolCall>();
        var waits = false;
        for (var call : pending.calls()) {
            switch (next(call, pending)) {
                case Next.Run _ -> runnable.add(call);
                case Next.Wait(var reason) -> {
                    waits = true;
                    request(call, turn, reason);
                }
                case Next.End(var outcome) -> finish(call, turn, outcome);
            }
        }
        if (!runnable.isEmpty()) {
            run(runnable, turn, pending);
        }
        waits |= passedOn;
        return new Settled(
                pending.calls().stream()
                        .flatMap(call -> Optional.ofNullable(ended.get(call.id())).stream())
                        .toList(),
                waits);
    }

    /// What is to be done about a call.
    private sealed interface Next {
        record Run() implements Next {}

        record Wait(@Nullable String reason) implements Next {}

        record End(ToolOutcome outcome) implements Next {}
    }

    private Next next(Part.ToolCall call, PendingCalls pending) {
        var tool = tools.get(call.name());
        if (tool == null) {
            return new Next.End(new ToolOutcome.Failed("there is no tool '" + call.name() + "', only "
                    + tools.keySet().stream().sorted().toList()));
        }
        if (pending.started().contains(call.id())) {
            return switch (tool.spec().repeat()) {
                case SAFE -> new Next.Run();
                case UNSAFE -> new Next.End(new ToolOutcome.Unknown());
            };
        }
        var decided = pending.decided().get(call.id());
        if (decided != null && !decided.approved()) {
            return new Next.End(new ToolOutcome.Denied(sayer(decided)));
        }
        if (tool instanceof Question question) {
            return decided == null
                    ? ask("a person is asked")
                    : new Next.End(question.answered(call, requireNonNullElse(decided.note(), "")));
        }
        if (decided != null) {
            return new Next.Run();
        }
        return switch (context.settings().permissions().decide(tool.spec(), call)) {
            case Permissions.Decision.Allow _ ->
                tool.caution()
                        .filter(caution -> caution.weight() == Caution.Weight.ASKS)
                        .map(caution -> ask(caution.words()))
                        .orElseGet(Next.Run::new);
            case Permissions.Decision.Ask(var reason) ->
                ask(tool.caution()
                        .map(caution -> reason + "; " + caution.words())
                        .orElse(reason));
            case Permissions.Decision.Deny(var rule) -> new Next.End(new ToolOutcome.Denied(rule));
        };
    }

    private Next ask(String reason) {
        return context.options().asking() == Asking.WAIT
                ? new Next.Wait(reason)
                : new Next.End(new ToolOutcome.Denied("nobody can be asked here (" + reason + ")"));
    }

    private static String sayer(LoopEvent.ApprovalGiven decided) {
        var by = decided.by() == null ? "a person said no" : decided.by() + " said no";
        return decided.note() == null ? by : by + ": " + decided.note();
    }

    /// Asks a person for those who work for this run. The call that waits for them has no end yet.
    void passOn(List<Ask> asks, int turn) {
        asks.forEach(ask -> request(new Part.ToolCall(ask.call(), ask.name(), ask.args(), null), turn, ask.reason()));
        passedOn = true;
    }

    /// Asks a person, unless that was done before.
    private synchronized void request(Part.ToolCall call, int turn, @Nullable String reason) {
        var open = log.state().open().stream()
                .filter(candidate -> candidate.loop().equals(loop))
                .anyMatch(candidate -> candidate.waitingFor().contains(call.id()));
        if (!open) {
            log.append(List.of(new LoopEvent.ApprovalRequested(
                    clock.instant(), loop, turn, call.id(), call.name(), call.arguments(), reason)));
        }
    }

    /// As many workers as may run at once take the calls in the order they were asked: which of them starts first is
    /// never left to the scheduler.
    private void run(List<Part.ToolCall> calls, int turn, PendingCalls pending) {
        context.cancellation().check();
        var waiting = new ConcurrentLinkedQueue<>(calls);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var workers = new ArrayList<Future<?>>();
            for (var worker = 0; worker < context.settings().toolOrder().width(calls.size()); worker++) {
                workers.add(threads.submit(() -> {
                    for (var call = waiting.poll(); call != null; call = waiting.poll()) {
                        one(call, turn, pending);
                        context.cancellation().check();
                    }
                    return waiting;
                }));
            }
            try (var _ = context.cancellation().onCancel(() -> workers.forEach(worker -> worker.cancel(true)))) {
                workers.forEach(ToolRunner::join);
            }
        }
        context.cancellation().check();
    }

    /// One call, from its start in the journal to its end there. A cancelled call has no end: how it ended is unknown.
    private void one(Part.ToolCall call, int turn, PendingCalls pending) throws InterruptedException {
        var instead = hooks.beforeTool(call);
        if (instead.isPresent()) {
            finish(call, turn, instead.get());
            return;
        }
        log.append(List.of(
                new LoopEvent.ToolStarted(clock.instant(), loop, turn, call.id(), call.name(), call.arguments())));
        var tool = tools.get(call.name());
        if (tool == null) {
            throw new IllegalStateException("the tool was there a moment ago");
        }
        var limit = context.settings().limits().toolTimeMax();
        try (var work = new ToolWork(tool, context.cancellation())) {
            var request = new ToolRequest(
                    call,
                    context.session().id(),
                    loop,
                    text -> work.whileWanted(() -> note(call, text)),
                    new RecordedChild(Optional.ofNullable(pending.children().get(call.id()))),
                    () -> context.session().context(pointer, CONVERSATION).messages(),
                    new ToolRequest.Person(context.options().asking() == Asking.WAIT, pending.answers(call.id())));
            var outcome = work.outcome(request, limit);
            if (outcome instanceof ToolOutcome.Waits(var asks)) {
                passOn(asks, turn);
                return;
            }
            // What failed while it was being cancelled may have failed because of that.
            if (outcome instanceof ToolOutcome.Answered
                    || !context.cancellation().isCancelled()) {
                finish(call, turn, outcome);
            }
        }
    }

    private void note(Part.ToolCall call, String text) {
        log.live(new LiveEvent.Noted(
                call.name() + ": " + context.settings().redaction().redact(text)));
    }

    private void finish(Part.ToolCall call, int turn, ToolOutcome asItWas) {
        var outcome = hooks.afterTool(call, asItWas);
        var result = shortened(context.settings().redaction().redact(outcome.resultOf(call)));
        var child = outcome instanceof ToolOutcome.Answered answered ? answered.child() : null;
        log.append(List.of(new LoopEvent.ToolFinished(clock.instant(), loop, turn, result, child)));
        ended.put(call.id(), new ToolUse(call, result));
    }

    private Part.ToolResult shortened(Part.ToolResult result) {
        var max = context.settings().limits().toolResultCharsMax();
        var parts = result.content().stream()
                .map(part -> part instanceof Part.Text(var text) && text.length() > max
                        ? new Part.Text(Excerpt.cut(text, max) + "\n[cut: " + text.length() + " characters in all]")
                        : part)
                .toList();
        return new Part.ToolResult(result.call(), result.name(), parts, result.isError(), result.data());
    }

    private static void join(Future<?> future) {
        try {
            future.get();
        } catch (CancellationException | InterruptedException _) {
            // The cancellation is checked by whoever waits for all.
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            if (!(e.getCause() instanceof InterruptedException)) {
                throw new IllegalStateException("a tool call could not be recorded", e);
            }
        }
    }

    /// The link between a call and its sub-agent, in the journal.
    private final class RecordedChild implements ToolRequest.Child {

        private final Optional<ChildLoopRef> earlier;

        RecordedChild(Optional<ChildLoopRef> earlier) {
            this.earlier = earlier;
        }

        @Override
        public Optional<ChildLoopRef> started() {
            return earlier;
        }

        @Override
        public void start(ChildLoopRef ref) {
            log.append(List.of(new LoopEvent.ChildSpawned(clock.instant(), loop, ref)));
        }
    }
}

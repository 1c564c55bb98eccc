package dev.skein.engine;

import dev.skein.live.LiveEvent;
import dev.skein.message.Part;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolRequest;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Runs the tool calls of one turn: asks the permissions, starts what may run, records each end when it comes.
///
/// That a tool starts is durable before it does, and its result before the model sees it. So after a crash it is
/// known which calls are finished, which were begun, and which never ran.
final class ToolRunner {

    private final Clock clock;
    private final RunContext context;
    private final RunLog log;
    private final LoopId loop;
    private final Map<String, Tool> tools = new HashMap<>();

    ToolRunner(Clock clock, RunContext context, RunLog log, LoopId loop) {
        this.clock = clock;
        this.context = context;
        this.log = log;
        this.loop = loop;
        context.settings().tools().forEach(tool -> tools.put(tool.spec().name(), tool));
    }

    /// Brings the calls as far as they can go. Returns those that wait for a person.
    List<Part.ToolCall> settle(PendingCalls pending, int turn) {
        var runnable = new ArrayList<Part.ToolCall>();
        var waiting = new ArrayList<Part.ToolCall>();
        for (var call : pending.calls()) {
            switch (next(call, pending)) {
                case Next.Run _ -> runnable.add(call);
                case Next.Wait(var reason) -> {
                    waiting.add(call);
                    request(call, turn, reason);
                }
                case Next.End(var outcome) -> finish(call, turn, outcome);
            }
        }
        if (!runnable.isEmpty()) {
            run(runnable, turn);
        }
        return waiting;
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
            return new Next.End(
                    new ToolOutcome.Failed("there is no tool '" + call.name() + "', only " + tools.keySet()));
        }
        if (pending.started().contains(call.id())) {
            return switch (tool.spec().repeat()) {
                case SAFE -> new Next.Run();
                case UNSAFE -> new Next.End(new ToolOutcome.Unknown());
            };
        }
        var decided = pending.decided().get(call.id());
        if (decided != null) {
            return decided.approved() ? new Next.Run() : new Next.End(new ToolOutcome.Denied(sayer(decided)));
        }
        return switch (context.settings().permissions().decide(call)) {
            case Permissions.Decision.Allow _ -> new Next.Run();
            case Permissions.Decision.Ask(var reason) -> new Next.Wait(reason);
            case Permissions.Decision.Deny(var rule) -> new Next.End(new ToolOutcome.Denied(rule));
        };
    }

    private static String sayer(LoopEvent.ApprovalGiven decided) {
        var by = decided.by() == null ? "a person said no" : decided.by() + " said no";
        return decided.note() == null ? by : by + ": " + decided.note();
    }

    /// Asks a person, unless that was done before.
    private void request(Part.ToolCall call, int turn, @Nullable String reason) {
        var open = log.state().open().stream()
                .filter(candidate -> candidate.loop().equals(loop))
                .anyMatch(candidate -> candidate.waitingFor().contains(call.id()));
        if (!open) {
            log.append(
                    List.of(new LoopEvent.ApprovalRequested(
                            clock.instant(), loop, turn, call.id(), call.name(), call.arguments(), reason)),
                    new LiveEvent.ApprovalRequired(call, reason));
        }
    }

    private void run(List<Part.ToolCall> calls, int turn) {
        context.cancellation().check();
        var permits = new Semaphore(context.settings().toolOrder().width(calls.size()), true);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<?>>();
            for (var call : calls) {
                running.add(threads.submit(() -> {
                    permits.acquire();
                    try {
                        one(call, turn, threads);
                    } finally {
                        permits.release();
                    }
                    return call;
                }));
            }
            try (var _ = context.cancellation().onCancel(() -> running.forEach(future -> future.cancel(true)))) {
                running.forEach(ToolRunner::join);
            }
        }
        context.cancellation().check();
    }

    /// One call, from its start in the journal to its end there. A cancelled call has no end: how it ended is unknown.
    private void one(Part.ToolCall call, int turn, ExecutorService threads) throws InterruptedException {
        log.append(
                List.of(new LoopEvent.ToolStarted(
                        clock.instant(), loop, turn, call.id(), call.name(), call.arguments())),
                new LiveEvent.ToolCall(call));
        var outcome = outcome(call, threads);
        finish(call, turn, outcome);
    }

    private ToolOutcome outcome(Part.ToolCall call, ExecutorService threads) throws InterruptedException {
        var tool = tools.get(call.name());
        var limit = context.settings().limits().toolTimeMax();
        var request = new ToolRequest(call, context.session().id(), loop, text -> progress(call, text));
        var work = threads.submit(() -> requireTool(tool).run(request, context.cancellation()));
        try {
            return work.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            work.cancel(true);
            return new ToolOutcome.TimedOut(limit);
        } catch (ExecutionException e) {
            return ToolOutcome.Failed.because(e.getCause() == null ? e : e.getCause());
        } catch (InterruptedException e) {
            work.cancel(true);
            throw e;
        }
    }

    private static Tool requireTool(@Nullable Tool tool) {
        if (tool == null) {
            throw new IllegalStateException("the tool was there a moment ago");
        }
        return tool;
    }

    private void progress(Part.ToolCall call, String text) {
        log.live(new LiveEvent.Noted(call.name() + ": " + text));
    }

    private void finish(Part.ToolCall call, int turn, ToolOutcome outcome) {
        var result = shortened(outcome.resultOf(call));
        var child = outcome instanceof ToolOutcome.Answered answered ? answered.child() : null;
        log.append(
                List.of(new LoopEvent.ToolFinished(clock.instant(), loop, turn, result, child)),
                new LiveEvent.ToolResult(result));
    }

    private Part.ToolResult shortened(Part.ToolResult result) {
        var max = context.settings().limits().toolResultCharsMax();
        var parts = result.content().stream()
                .map(part -> part instanceof Part.Text(var text) && text.length() > max
                        ? new Part.Text(text.substring(
                                        0,
                                        text.offsetByCodePoints(
                                                0, Math.min(max, text.codePointCount(0, text.length()))))
                                + "\n[cut: " + text.length() + " characters in all]")
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
            throw new IllegalStateException("a tool call could not be recorded", e);
        }
    }
}

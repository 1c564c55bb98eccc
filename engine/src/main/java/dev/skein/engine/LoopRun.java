package dev.skein.engine;

import static java.util.Objects.requireNonNullElse;

import dev.skein.failure.Cancelled;
import dev.skein.failure.LimitReached;
import dev.skein.failure.ModelFailed;
import dev.skein.live.LiveEvent;
import dev.skein.message.Cost;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.Usage;
import dev.skein.model.ModelReply;
import dev.skein.model.ModelRequest;
import dev.skein.model.ReplyFragment;
import dev.skein.session.Ids;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.session.LoopPointer;
import dev.skein.session.LoopStatus;
import dev.skein.session.SessionEvent;
import dev.skein.session.Trigger;
import dev.skein.tool.Tool;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Drives one loop: ask the model, run its tools, again, until it rests. Used once, by one thread.
final class LoopRun {

    private static final Duration BACKOFF_FIRST = Duration.ofMillis(500);
    private static final Duration BACKOFF_MAX = Duration.ofSeconds(30);

    private final Clock clock;
    private final Ids ids;
    private final RandomGenerator random;
    private final Pause pause;
    private final RunContext context;
    private final RunLog log;
    private final LoopPointer pointer;
    private final LoopId loop;
    private final ToolRunner tools;
    private final Instant started;
    private final Map<String, Integer> sameCalls = new HashMap<>();
    private final StringBuilder spoken = new StringBuilder();
    private Usage usage = Usage.NONE;
    private Cost cost = Cost.NONE;
    private int turns;
    private @Nullable Message answer;

    LoopRun(Engine engine, RunContext context, RunLog log, LoopPointer pointer) {
        this.clock = engine.clock();
        this.ids = engine.ids();
        this.random = engine.random();
        this.pause = engine.pause();
        this.context = context;
        this.log = log;
        this.pointer = pointer;
        this.loop = pointer.loop();
        this.tools = new ToolRunner(clock, context, log, loop);
        this.started = clock.instant();
    }

    /// Goes on from turn `first`, whose reply may have calls that are not answered yet.
    RunOutcome drive(int first, PendingCalls pending, Trigger trigger) {
        var turn = first;
        try {
            if (!pending.calls().isEmpty() && waits(pending, turn)) {
                return rest(LoopStatus.WAITING, "a tool call waits for a person's decision");
            }
            if (!pending.calls().isEmpty()) {
                log.append(List.of(new LoopEvent.TurnEnded(clock.instant(), loop, turn, Usage.NONE, null)));
                turn++;
            }
            for (var why = trigger; ; why = Trigger.CONTINUATION) {
                requireWithinLimits();
                log.append(List.of(new LoopEvent.TurnStarted(clock.instant(), loop, turn, why)));
                var reply = ask();
                var message = message(reply);
                if (message.toolCalls().isEmpty()) {
                    return complete(turn, message, reply);
                }
                log.append(
                        List.of(new LoopEvent.MessageEnded(message.at(), loop, turn, message)),
                        new LiveEvent.AssistantMessageEnd(message.text()));
                requireProgress(message.toolCalls());
                if (waits(PendingCalls.of(message), turn)) {
                    return rest(LoopStatus.WAITING, "a tool call waits for a person's decision");
                }
                log.append(List.of(turnEnded(turn, reply)));
                turn++;
            }
        } catch (Cancelled e) {
            return abort(turn, String.valueOf(e.getMessage()));
        } catch (LimitReached | ModelFailed e) {
            abort(turn, String.valueOf(e.getMessage()));
            log.live(new LiveEvent.Failed(e.code(), String.valueOf(e.getMessage())));
            throw e;
        }
    }

    private boolean waits(PendingCalls pending, int turn) {
        return !tools.settle(pending, turn).isEmpty();
    }

    private RunOutcome complete(int turn, Message message, ModelReply reply) {
        var now = message.at();
        answer = message;
        log.append(
                List.of(
                        new LoopEvent.MessageEnded(now, loop, turn, message),
                        turnEnded(turn, reply),
                        new LoopEvent.LoopEnded(now, loop, LoopStatus.COMPLETED, null, null, null)),
                new LiveEvent.AssistantMessageEnd(message.text()));
        return rest(LoopStatus.COMPLETED, null);
    }

    /// Ends the loop early and keeps what was said so far, be it half a sentence.
    private RunOutcome abort(int turn, String reason) {
        var now = clock.instant();
        var events = new ArrayList<SessionEvent>();
        if (!spoken.isEmpty()) {
            var half = new Message(
                    ids.message(),
                    Role.ASSISTANT,
                    now,
                    List.of(new Part.Text(spoken.toString())),
                    replied("aborted", null),
                    Map.of());
            events.add(new LoopEvent.MessageEnded(now, loop, turn, half));
            answer = half;
        }
        events.add(new LoopEvent.LoopEnded(now, loop, LoopStatus.ABORTED, reason, null, null));
        log.append(events);
        return rest(LoopStatus.ABORTED, reason);
    }

    private RunOutcome rest(LoopStatus status, @Nullable String reason) {
        var outcome = new RunOutcome(context.session().id(), loop, status, reason, answer, turns, usage, cost);
        log.live(new LiveEvent.Finished(status.toString(), outcome.text()));
        return outcome;
    }

    private LoopEvent.TurnEnded turnEnded(int turn, ModelReply reply) {
        return new LoopEvent.TurnEnded(clock.instant(), loop, turn, reply.usage(), reply.cost());
    }

    private Message message(ModelReply reply) {
        turns++;
        usage = usage.plus(reply.usage());
        cost = cost.plus(requireNonNullElse(reply.cost(), Cost.NONE));
        spoken.setLength(0);
        return new Message(
                ids.message(),
                Role.ASSISTANT,
                clock.instant(),
                reply.parts(),
                replied(reply.stopReason().toString(), reply.usage()),
                Map.of());
    }

    private Message.Reply replied(String stopReason, @Nullable Usage used) {
        var name = context.settings().model().name();
        return new Message.Reply(name.model(), name.provider(), stopReason, used, null);
    }

    /// Asks the model, and again if it may help.
    private ModelReply ask() {
        var settings = context.settings();
        var request = new ModelRequest(
                settings.system(),
                context.session().context(pointer, settings.window()).messages(),
                settings.tools().stream().map(Tool::spec).toList(),
                settings.sampling());
        for (int attempt = 0; ; attempt++) {
            context.cancellation().check();
            try {
                spoken.setLength(0);
                return settings.model().reply(request, this::hear, context.cancellation());
            } catch (ModelFailed e) {
                if (!e.isTransient() || attempt >= settings.limits().retriesMax()) {
                    throw e;
                }
                log.live(new LiveEvent.Warning(e.getMessage() + " (trying again)"));
                pauseBefore(attempt, e);
            }
        }
    }

    private void pauseBefore(int attempt, ModelFailed failure) {
        var doubled = BACKOFF_FIRST.multipliedBy(1L << Math.min(attempt, 10));
        var capped = doubled.compareTo(BACKOFF_MAX) > 0 ? BACKOFF_MAX : doubled;
        var jittered = capped.plus(
                capped.dividedBy(4).multipliedBy(random.nextInt(101)).dividedBy(100));
        try {
            pause.take(failure.retryAfter().orElse(jittered), context.cancellation());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Cancelled("interrupted");
        }
    }

    private void hear(ReplyFragment fragment) {
        switch (fragment) {
            case ReplyFragment.Text(var text) -> {
                spoken.append(text);
                log.live(new LiveEvent.AssistantDelta(text));
            }
            case ReplyFragment.Thinking(var text) -> log.live(new LiveEvent.ThinkingDelta(text));
            case ReplyFragment.ToolArguments _ -> {}
        }
    }

    private void requireWithinLimits() {
        var limits = context.settings().limits();
        context.cancellation().check();
        if (turns >= limits.turnsMax()) {
            throw new LimitReached(limits.turnsMax() + " turns", "turns_max");
        }
        if (limits.tokensMax() != null && usage.totalTokens() >= limits.tokensMax()) {
            throw new LimitReached(limits.tokensMax() + " tokens", "tokens_max");
        }
        if (limits.costMax() != null && cost.usd().compareTo(limits.costMax().usd()) >= 0) {
            throw new LimitReached(limits.costMax().toString(), "cost_max");
        }
        if (Duration.between(started, clock.instant()).compareTo(limits.timeMax()) >= 0) {
            throw new LimitReached(limits.timeMax().toSeconds() + " seconds", "time_max");
        }
    }

    /// A model that asks for the same thing over and over is not getting anywhere.
    private void requireProgress(List<Part.ToolCall> calls) {
        for (var call : calls) {
            var count = sameCalls.merge(call.name() + call.arguments(), 1, Integer::sum);
            if (count > context.settings().limits().sameCallMax()) {
                throw new LimitReached(
                        context.settings().limits().sameCallMax() + " equal calls of " + call.name(), "same_call_max");
            }
        }
    }
}

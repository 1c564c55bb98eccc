package dev.skein.engine;

import static java.util.Objects.requireNonNullElse;

import dev.skein.cancellation.Cancellation;
import dev.skein.engine.Companions.Company;
import dev.skein.engine.Companions.Heard;
import dev.skein.engine.Companions.Rest;
import dev.skein.engine.retrieval.Grounding;
import dev.skein.failure.Cancelled;
import dev.skein.failure.LimitReached;
import dev.skein.failure.ModelFailed;
import dev.skein.failure.OutputInvalid;
import dev.skein.failure.SkeinException;
import dev.skein.live.Citation;
import dev.skein.live.LiveEvent;
import dev.skein.live.RunOutcome;
import dev.skein.live.RunOutcome.ToolUse;
import dev.skein.message.Cost;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.Usage;
import dev.skein.model.ModelReply;
import dev.skein.model.ModelRequest;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.session.LoopPointer;
import dev.skein.session.LoopStatus;
import dev.skein.session.SessionEvent;
import dev.skein.session.Trigger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Drives one loop: ask the model, run its tools, again, until it rests. Used once, by one thread.
final class LoopRun {

    private static final String WAITS = "a tool call waits for a person's decision";

    private final Workings workings;
    private final Cancellation asked;
    private final RequestContext context;
    private final RunLog log;
    private final LoopPointer pointer;
    private final LoopId loop;
    private final Grounding grounding;
    private final ToolRunner tools;
    private final HookCalls hooks;
    private final Spending spending;
    private final Utterance spoken;
    private final List<ToolUse> toolUses = new ArrayList<>();
    private final boolean compressed;
    private final OpenTasks openTasks;
    private final ShapedAnswer shaped;
    private Company company = Company.NONE;
    private @Nullable Message answer;

    LoopRun(
            Workings workings,
            RequestContext context,
            RunLog log,
            LoopPointer pointer,
            Grounding grounding,
            boolean compressed) {
        this.workings = workings;
        this.asked = context.cancellation();
        this.context = context.with(new Cancellation());
        this.log = log;
        this.pointer = pointer;
        this.loop = pointer.loop();
        this.grounding = grounding;
        this.tools = new ToolRunner(workings.clock(), this.context, log, pointer);
        this.hooks = new HookCalls(context.settings().hooks(), log);
        this.spending = new Spending(context.settings().limits(), workings.clock());
        this.spoken = new Utterance(context.settings().redaction(), log);
        this.compressed = compressed;
        this.openTasks = new OpenTasks(
                context.settings(),
                () -> context.session().context(pointer, OpenTasks.CONVERSATION).messages());
        this.shaped =
                new ShapedAnswer(context.settings(), () -> context.session().loop(pointer));
    }

    /// Goes on from turn `first`, whose reply may have calls that are not answered yet.
    ///
    /// It stops when that is asked for or when its time is up, whichever comes first.
    RunOutcome drive(int first, PendingCalls pending, Trigger trigger) {
        var stop = context.cancellation();
        var limit = context.settings().limits().timeMax();
        try (var _ = asked.onCancel(() -> stop.cancel(asked.reason().orElse("cancelled")));
                var _ = workings.timers().after(limit, () -> stop.cancel("the time is up"));
                var joined = context.settings()
                        .companions()
                        .join(context, pointer, text -> log.live(new LiveEvent.Noted(text)), stop)) {
            company = joined;
            return turns(first, pending, trigger);
        }
    }

    private RunOutcome turns(int first, PendingCalls pending, Trigger trigger) {
        var turn = first;
        try {
            var stopped = hooks.beforeLoop(loop);
            if (stopped.isPresent()) {
                return abort(turn, stopped.get());
            }
            if (!pending.calls().isEmpty()) {
                if (waits(pending, turn)) {
                    return rest(LoopStatus.WAITING, WAITS);
                }
                log.append(List.of(new LoopEvent.TurnEnded(now(), loop, turn, pending.used(), null)));
                turn++;
            } else if (trigger == Trigger.CONTINUATION && (shaped.isWanted() || !company.isAlone()) && hasAnswered()) {
                turn += isBegun() ? 1 : 0;
                var rested = besides(turn);
                if (rested.isPresent()) {
                    return rested.get();
                }
            }
            for (var why = trigger; ; why = Trigger.CONTINUATION) {
                context.cancellation().check();
                spending.requireMore();
                start(turn, why);
                var request = request();
                stopped = hooks.beforeTurn(loop, turn, request);
                if (stopped.isPresent()) {
                    return abort(turn, stopped.get());
                }
                var reply = ask(request);
                hooks.afterTurn(loop, turn, reply);
                var message = message(reply);
                if (!message.toolCalls().isEmpty()) {
                    log.append(List.of(new LoopEvent.MessageEnded(message.at(), loop, turn, message)));
                    spending.requireProgress(message.toolCalls());
                    if (waits(PendingCalls.of(message), turn)) {
                        return rest(LoopStatus.WAITING, WAITS);
                    }
                    log.append(List.of(turnEnded(turn, reply)));
                } else {
                    var said = context.steering().beforeRest();
                    var next = said.said().isEmpty() && company.isAlone()
                            ? leftToDo(turn, message, reply)
                            : said.said().stream().findFirst();
                    if (next.isPresent() || company.isAlone()) {
                        complete(turn, message, reply, next, said);
                        if (next.isEmpty()) {
                            return rest(LoopStatus.COMPLETED, null);
                        }
                    } else {
                        answer = message;
                        log.append(List.of(
                                new LoopEvent.MessageEnded(message.at(), loop, turn, message), turnEnded(turn, reply)));
                        var rested = besides(turn + 1);
                        if (rested.isPresent()) {
                            return rested.get();
                        }
                    }
                }
                turn++;
            }
        } catch (Cancelled e) {
            if (context.cancellation().isCancelled() && !asked.isCancelled()) {
                throw fail(turn, spending.timeIsUp());
            }
            return abort(turn, String.valueOf(e.getMessage()));
        } catch (LimitReached | OutputInvalid e) {
            throw fail(turn, e);
        } catch (ModelFailed e) {
            throw fail(turn, discreet(e));
        }
    }

    /// What people said meanwhile, and that the model is about to be asked.
    private void start(int turn, Trigger why) {
        var events = new ArrayList<SessionEvent>();
        company.news().forEach(news -> events.add(heard(turn, news)));
        var taken = context.steering().beforeNextTurn();
        recording(taken, () -> {
            taken.said().forEach(said -> events.add(heard(turn, said)));
            events.add(new LoopEvent.TurnStarted(now(), loop, turn, why));
            log.append(events);
        });
    }

    /// What a person said is gone from where it waited only when it is kept.
    private static void recording(Steering.Taken said, Runnable append) {
        try {
            append.run();
        } catch (RuntimeException | Error e) {
            said.giveBack();
            throw e;
        }
    }

    private LoopEvent.MessageEnded heard(int turn, Heard heard) {
        var now = now();
        var clean = context.settings().redaction().redactKnown(heard.parts());
        var message = new Message(workings.ids().message(), Role.USER, now, clean, null, heard.metadata());
        return new LoopEvent.MessageEnded(now, loop, turn, message);
    }

    /// The run would rest. Empty if those who work beside it have something to say first.
    private Optional<RunOutcome> besides(int next) {
        try {
            return switch (company.beforeRest(context.cancellation())) {
                case Rest.GoOn(var news) -> {
                    log.append(news.stream().map(each -> heard(next, each)).toList());
                    yield Optional.empty();
                }
                case Rest.Wait(var asks) -> {
                    tools.passOn(asks, next);
                    yield Optional.of(rest(LoopStatus.WAITING, WAITS));
                }
                case Rest.Now _ -> tasksOrEnd(next);
            };
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Cancelled("interrupted");
        }
    }

    private Optional<RunOutcome> tasksOrEnd(int next) {
        var left = openTasks.next().or(() -> shaped.again(answer));
        if (left.isPresent()) {
            log.append(List.of(heard(next, left.get())));
            return Optional.empty();
        }
        log.append(List.of(new LoopEvent.LoopEnded(now(), loop, LoopStatus.COMPLETED, null, null, null)));
        return Optional.of(rest(LoopStatus.COMPLETED, null));
    }

    /// What keeps the loop from ending here. An answer that will not do is kept, too.
    private Optional<Heard> leftToDo(int turn, Message message, ModelReply reply) {
        try {
            return openTasks.next().or(() -> shaped.again(message));
        } catch (OutputInvalid e) {
            answer = message;
            log.append(List.of(new LoopEvent.MessageEnded(message.at(), loop, turn, message), turnEnded(turn, reply)));
            throw e;
        }
    }

    /// Whether the model has said all it had to say.
    private boolean hasAnswered() {
        var view = context.session().context(pointer, 1).messages();
        var last = view.isEmpty() ? null : view.getLast();
        if (last == null || last.role() != Role.ASSISTANT || !last.toolCalls().isEmpty()) {
            return false;
        }
        answer = last;
        return true;
    }

    /// Whether anything was said in this very loop.
    private boolean isBegun() {
        return context.session().loop(pointer).stream()
                .anyMatch(record -> !record.said().isEmpty());
    }

    private boolean waits(PendingCalls pending, int turn) {
        var settled = tools.settle(pending, turn);
        toolUses.addAll(settled.uses());
        return settled.waits();
    }

    /// The loop ends here, unless a follow-up came.
    private void complete(int turn, Message message, ModelReply reply, Optional<Heard> next, Steering.Taken said) {
        answer = message;
        recording(
                said,
                () -> log.append(List.of(
                        new LoopEvent.MessageEnded(message.at(), loop, turn, message),
                        turnEnded(turn, reply),
                        next.<SessionEvent>map(heard -> heard(turn + 1, heard))
                                .orElseGet(() -> new LoopEvent.LoopEnded(
                                        message.at(), loop, LoopStatus.COMPLETED, null, null, null)))));
    }

    private RunOutcome abort(int turn, String reason) {
        log.append(end(turn, reason, null));
        return rest(LoopStatus.ABORTED, reason);
    }

    /// A provider may repeat what it was told, and what it was not.
    private ModelFailed discreet(ModelFailed failure) {
        var said = String.valueOf(failure.getMessage());
        var clean = context.settings().redaction().redact(said);
        return clean.equals(said) ? failure : failure.saying(clean);
    }

    private <F extends SkeinException> F fail(int turn, F failure) {
        var message = String.valueOf(failure.getMessage());
        log.append(end(turn, message, failure.code()), new LiveEvent.Failed(failure.code(), message));
        hooks.afterLoop(outcome(LoopStatus.ABORTED, message));
        return failure;
    }

    /// The early end of the loop, with what was said so far, be it half a sentence.
    private List<SessionEvent> end(int turn, String reason, @Nullable String code) {
        var now = now();
        var events = new ArrayList<SessionEvent>();
        var said = spoken.end();
        if (!said.isEmpty()) {
            var half = new Message(
                    workings.ids().message(),
                    Role.ASSISTANT,
                    now,
                    List.of(new Part.Text(said)),
                    replied("aborted", null),
                    Map.of());
            events.add(new LoopEvent.MessageEnded(now, loop, turn, half));
            answer = half;
        }
        events.add(new LoopEvent.LoopEnded(now, loop, LoopStatus.ABORTED, reason, code, null, null));
        return events;
    }

    private RunOutcome rest(LoopStatus status, @Nullable String reason) {
        var outcome = outcome(status, reason);
        log.finished(outcome);
        hooks.afterLoop(outcome);
        return outcome;
    }

    private RunOutcome outcome(LoopStatus status, @Nullable String reason) {
        return new RunOutcome(
                context.session().id(),
                loop,
                status,
                reason,
                answer,
                toolUses,
                spending.turns(),
                compressed,
                openTasks.times() > 0,
                spending.usage(),
                spending.cost(),
                Citation.of(grounding.metadata()),
                status == LoopStatus.COMPLETED ? shaped.value(answer) : null);
    }

    private LoopEvent.TurnEnded turnEnded(int turn, ModelReply reply) {
        return new LoopEvent.TurnEnded(now(), loop, turn, reply.usage(), reply.cost());
    }

    private Message message(ModelReply reply) {
        spending.add(reply.usage(), requireNonNullElse(reply.cost(), Cost.NONE));
        spoken.forget();
        return new Message(
                workings.ids().message(),
                Role.ASSISTANT,
                now(),
                context.settings().redaction().redactKnown(reply.parts()),
                replied(reply.stopReason().toString(), reply.usage()),
                Map.of());
    }

    private Message.Reply replied(String stopReason, @Nullable Usage used) {
        var name = context.settings().model().name();
        return new Message.Reply(name.model(), name.provider(), stopReason, used, null);
    }

    private ModelRequest request() {
        var settings = context.settings();
        return Asked.of(
                settings, context.session().context(pointer, settings.window()).messages(), grounding);
    }

    /// Asks the model, and again if it may help.
    private ModelReply ask(ModelRequest request) {
        var settings = context.settings();
        for (int attempt = 0; ; attempt++) {
            context.cancellation().check();
            try {
                spoken.forget();
                var reply = settings.model().reply(request, spoken::hear, context.cancellation());
                spoken.end();
                return reply;
            } catch (ModelFailed e) {
                if (!e.isTransient() || attempt >= settings.limits().retriesMax()) {
                    throw e;
                }
                log.live(new LiveEvent.Warning(discreet(e).getMessage() + " (trying again)"));
                workings.pauseBeforeRetry(attempt, e, context.cancellation());
            }
        }
    }

    private Instant now() {
        return workings.clock().instant();
    }
}

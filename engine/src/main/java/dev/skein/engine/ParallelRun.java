package dev.skein.engine;

import dev.skein.engine.Permissions.Decision;
import dev.skein.failure.Cancelled;
import dev.skein.failure.LimitReached;
import dev.skein.failure.ModelFailed;
import dev.skein.failure.SkeinException;
import dev.skein.live.LiveEvent;
import dev.skein.message.Cost;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.Usage;
import dev.skein.model.ModelRequest;
import dev.skein.model.Sampling;
import dev.skein.session.Continuation;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.session.LoopPointer;
import dev.skein.session.LoopStatus;
import dev.skein.session.SessionEvent;
import dev.skein.session.Trigger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// Runs one prompt with several settings at once. The branches are announced before any starts, so that a crash in
/// the middle leaves a group that can be told from ordinary loops. Used once.
final class ParallelRun {

    private static final Pattern NUMBER = Pattern.compile("\\d+");

    private final Engine engine;
    private final RunContext context;
    private final RunLog log;
    private final List<RunSettings> settings;

    ParallelRun(Engine engine, RunContext context, RunLog log, List<RunSettings> settings) {
        this.engine = engine;
        this.context = context;
        this.log = log;
        this.settings = settings.stream().map(ParallelRun::withoutQuestions).toList();
    }

    ParallelOutcome run(RunRequest.Prompt prompt, Choice choice) {
        var loops = settings.stream().map(_ -> engine.ids().loop()).toList();
        var pointers = announce(prompt, loops);
        var outcomes = drive(pointers);
        var completed = IntStream.range(0, outcomes.size())
                .filter(i -> outcomes.get(i).status() == LoopStatus.COMPLETED)
                .boxed()
                .toList();
        var verdict = completed.isEmpty() ? new Verdict(0, Usage.NONE) : choose(choice, prompt, outcomes, completed);
        log.append(
                List.of(new SessionEvent.ParallelEnded(
                        engine.clock().instant(), loops, loops.get(verdict.index()), verdict.index(), verdict.usage())),
                new LiveEvent.Noted("branch " + (verdict.index() + 1) + " of " + loops.size() + " was chosen"));
        return new ParallelOutcome(outcomes, verdict.index(), verdict.usage());
    }

    /// The group, and every branch with its prompt, in one append.
    private List<LoopPointer> announce(RunRequest.Prompt prompt, List<LoopId> loops) {
        var now = engine.clock().instant();
        var head = log.state().head();
        var events = new ArrayList<SessionEvent>();
        var places = new ArrayList<Integer>();
        events.add(new SessionEvent.ParallelStarted(now, loops, head));
        for (int i = 0; i < loops.size(); i++) {
            var branch = new RunContext(
                    context.requestId(), context.session(), settings.get(i), context.emitter(), context.cancellation());
            places.add(events.size());
            events.add(engine.started(branch, loops.get(i), head, Continuation.branch(now), Trigger.BRANCH));
            var message = new Message(engine.ids().message(), Role.USER, now, prompt.parts(), null, Map.of());
            events.add(new LoopEvent.MessageEnded(now, loops.get(i), 0, message));
        }
        var first = log.append(events, new LiveEvent.Started()).first();
        return IntStream.range(0, loops.size())
                .mapToObj(i -> new LoopPointer(loops.get(i), first + places.get(i)))
                .toList();
    }

    private List<RunOutcome> drive(List<LoopPointer> pointers) {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = IntStream.range(0, pointers.size())
                    .mapToObj(i -> threads.submit(() -> branch(pointers.get(i), settings.get(i))))
                    .toList();
            return running.stream().map(ParallelRun::join).toList();
        }
    }

    /// A branch that fails is one that was not completed; the others go on.
    private RunOutcome branch(LoopPointer pointer, RunSettings with) {
        var branch =
                new RunContext(context.requestId(), context.session(), with, context.emitter(), context.cancellation());
        try {
            return new LoopRun(engine, branch, log.of(pointer.loop()), pointer)
                    .drive(0, PendingCalls.NONE, Trigger.BRANCH);
        } catch (ModelFailed | LimitReached e) {
            return new RunOutcome(
                    context.session().id(),
                    pointer.loop(),
                    LoopStatus.ABORTED,
                    e.getMessage(),
                    null,
                    0,
                    Usage.NONE,
                    Cost.NONE);
        }
    }

    private record Verdict(int index, Usage usage) {}

    private Verdict choose(
            Choice choice, RunRequest.Prompt prompt, List<RunOutcome> outcomes, List<Integer> completed) {
        return switch (choice) {
            case Choice.First _ -> new Verdict(completed.getFirst(), Usage.NONE);
            case Choice.MostTokenEfficient _ ->
                new Verdict(
                        completed.stream()
                                .min(Comparator.comparingLong(
                                        i -> outcomes.get(i).usage().totalTokens()))
                                .orElseThrow(),
                        Usage.NONE);
            case Choice.MostElaborate _ ->
                new Verdict(
                        completed.stream()
                                .max(Comparator.comparingInt(
                                        (Integer i) -> outcomes.get(i).text().length()))
                                .orElseThrow(),
                        Usage.NONE);
            case Choice.Judge judge -> judged(judge, prompt, outcomes, completed);
            case Choice.Transparent(var pick) -> {
                var picked = pick.applyAsInt(outcomes);
                yield new Verdict(completed.contains(picked) ? picked : completed.getFirst(), Usage.NONE);
            }
        };
    }

    /// A judge that gives no usable number chooses the first.
    private Verdict judged(
            Choice.Judge judge, RunRequest.Prompt prompt, List<RunOutcome> outcomes, List<Integer> completed) {
        var question =
                new StringBuilder("Which of these answers to the request is best? Reply with its number only.\n\n");
        var now = engine.clock().instant();
        question.append("Request:\n")
                .append(new Message(engine.ids().message(), Role.USER, now, prompt.parts(), null, Map.of()).text());
        for (int i = 0; i < completed.size(); i++) {
            question.append("\n\nAnswer ")
                    .append(i + 1)
                    .append(":\n")
                    .append(outcomes.get(completed.get(i)).text());
        }
        var asked = Message.of(engine.ids().message(), Role.USER, now, question.toString());
        var reply = judge.model()
                .reply(
                        new ModelRequest(null, List.of(asked), List.of(), Sampling.DEFAULT),
                        _ -> {},
                        context.cancellation());
        var said = Message.of(
                        engine.ids().message(),
                        Role.ASSISTANT,
                        now,
                        reply.parts().toArray(Part[]::new))
                .text();
        var number = NUMBER.matcher(said);
        var place = number.find() && number.group().length() < 9 ? Integer.parseInt(number.group()) - 1 : 0;
        return new Verdict(completed.get(place >= 0 && place < completed.size() ? place : 0), reply.usage());
    }

    /// Nobody can be asked about one of several branches.
    private static RunSettings withoutQuestions(RunSettings asGiven) {
        return asGiven.withPermissions(call -> switch (asGiven.permissions().decide(call)) {
            case Decision.Ask(var reason) ->
                new Decision.Deny("nobody can be asked in a parallel run (" + reason + ")");
            case Decision.Allow allow -> allow;
            case Decision.Deny deny -> deny;
        });
    }

    private static RunOutcome join(Future<RunOutcome> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Cancelled("interrupted");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SkeinException failure) {
                throw failure;
            }
            throw new IllegalStateException("a branch ended in a defect", e.getCause());
        }
    }
}

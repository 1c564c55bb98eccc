package dev.skein.engine;

import dev.skein.engine.RunOptions.Asking;
import dev.skein.engine.retrieval.Grounding;
import dev.skein.failure.Cancelled;
import dev.skein.failure.LimitReached;
import dev.skein.failure.ModelFailed;
import dev.skein.failure.OutputInvalid;
import dev.skein.failure.SkeinException;
import dev.skein.live.LiveEvent;
import dev.skein.live.RunOutcome;
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

    private final Workings workings;
    private final RequestContext context;
    private final RunLog log;
    private final List<RunSettings> settings;

    /// Nobody can be asked about one of several branches.
    ParallelRun(Workings workings, RequestContext context, RunLog log, List<RunSettings> settings) {
        this.workings = workings;
        this.context = context.with(context.options().withAsking(Asking.DENY));
        this.log = log;
        this.settings = List.copyOf(settings);
    }

    ParallelOutcome run(RunRequest.Prompt prompt, Choice choice) {
        var loops = settings.stream().map(_ -> workings.ids().loop()).toList();
        var prompts = settings.stream().map(_ -> message(prompt)).toList();
        var groundings = IntStream.range(0, settings.size())
                .mapToObj(i -> Grounding.found(settings.get(i).retriever(), prompts.get(i), context.cancellation()))
                .toList();
        var pointers = announce(prompt, prompts, loops, groundings);
        var outcomes = drive(pointers, groundings);
        var completed = IntStream.range(0, outcomes.size())
                .filter(i -> outcomes.get(i).status() == LoopStatus.COMPLETED)
                .boxed()
                .toList();
        var verdict = completed.isEmpty() ? new Verdict(0, Usage.NONE) : choose(choice, prompt, outcomes, completed);
        log.append(
                List.of(new SessionEvent.ParallelEnded(
                        workings.clock().instant(),
                        loops,
                        loops.get(verdict.index()),
                        verdict.index(),
                        verdict.usage())),
                new LiveEvent.Noted("branch " + (verdict.index() + 1) + " of " + loops.size() + " was chosen"));
        return new ParallelOutcome(outcomes, verdict.index(), verdict.usage());
    }

    private Message message(RunRequest.Prompt prompt) {
        return new Message(
                workings.ids().message(),
                Role.USER,
                workings.clock().instant(),
                context.settings().redaction().redactKnown(prompt.parts()),
                null,
                Map.of());
    }

    /// The group, and every branch with its prompt, in one append.
    private List<LoopPointer> announce(
            RunRequest.Prompt prompt, List<Message> prompts, List<LoopId> loops, List<Grounding> groundings) {
        var now = workings.clock().instant();
        var head = log.state().head();
        var events = new ArrayList<SessionEvent>();
        var places = new ArrayList<Integer>();
        events.add(new SessionEvent.ParallelStarted(now, loops, head));
        var next = new Next(null, head, Continuation.Kind.BRANCH, Trigger.BRANCH, prompt.parts(), PendingCalls.NONE);
        for (int i = 0; i < loops.size(); i++) {
            places.add(events.size());
            events.add(next.started(workings, context.with(settings.get(i)), loops.get(i), groundings.get(i), false));
            events.add(new LoopEvent.MessageEnded(now, loops.get(i), 0, prompts.get(i)));
        }
        var first = log.append(events).first();
        return IntStream.range(0, loops.size())
                .mapToObj(i -> new LoopPointer(loops.get(i), first + places.get(i)))
                .toList();
    }

    private List<RunOutcome> drive(List<LoopPointer> pointers, List<Grounding> groundings) {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = IntStream.range(0, pointers.size())
                    .mapToObj(i -> threads.submit(() -> branch(pointers.get(i), settings.get(i), groundings.get(i))))
                    .toList();
            return running.stream().map(ParallelRun::join).toList();
        }
    }

    /// A branch that fails is one that was not completed; the others go on.
    private RunOutcome branch(LoopPointer pointer, RunSettings with, Grounding grounding) {
        try {
            return new LoopRun(workings, context.with(with), log.of(pointer.loop()), pointer, grounding, false)
                    .drive(0, PendingCalls.NONE, Trigger.BRANCH);
        } catch (ModelFailed | LimitReached | OutputInvalid e) {
            return RunOutcome.unasked(
                    context.session().id(), pointer.loop(), LoopStatus.ABORTED, String.valueOf(e.getMessage()));
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
        var now = workings.clock().instant();
        question.append("Request:\n")
                .append(new Message(workings.ids().message(), Role.USER, now, prompt.parts(), null, Map.of()).text());
        for (int i = 0; i < completed.size(); i++) {
            question.append("\n\nAnswer ")
                    .append(i + 1)
                    .append(":\n")
                    .append(outcomes.get(completed.get(i)).text());
        }
        var asked = Message.of(workings.ids().message(), Role.USER, now, question.toString());
        var reply = judge.model()
                .reply(
                        new ModelRequest(null, List.of(asked), List.of(), Sampling.DEFAULT),
                        _ -> {},
                        context.cancellation());
        var said = Message.of(
                        workings.ids().message(),
                        Role.ASSISTANT,
                        now,
                        reply.parts().toArray(Part[]::new))
                .text();
        var number = NUMBER.matcher(said);
        var place = number.find() && number.group().length() < 9 ? Integer.parseInt(number.group()) - 1 : 0;
        return new Verdict(completed.get(place >= 0 && place < completed.size() ? place : 0), reply.usage());
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

package dev.skein.engine.household;

import dev.skein.cancellation.Cancellation;
import dev.skein.engine.Companions.Company;
import dev.skein.engine.Companions.Heard;
import dev.skein.engine.Companions.Rest;
import dev.skein.engine.household.Worker.Standing;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.SkeinException;
import dev.skein.message.Excerpt;
import dev.skein.message.Part;
import dev.skein.session.ChildLoopRef;
import dev.skein.session.LoopId;
import dev.skein.session.SessionId;
import dev.skein.session.SpawnRef;
import dev.skein.store.SessionHandle;
import dev.skein.tool.ToolOutcome.Waits.Ask;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Those who work for one run, as long as it lasts. So many work at once; the others wait for their turn. Safe for use
/// by many threads.
final class Household implements Company {

    private static final Duration CLOSING = Duration.ofSeconds(10);
    private static final int NEWS_MAX = 20_000;
    private static final String STOPPED = "the agent that started it has stopped";

    private final Family family;
    private final SessionHandle above;
    private final Kin kin;
    private final Consumer<String> notes;
    private final Cancellation.Registration stopping;
    private final Map<LoopId, Worker> workers = new LinkedHashMap<>();
    private final Map<LoopId, Standing> standings = new LinkedHashMap<>();
    private final Queue<Worker> queue = new ArrayDeque<>();
    /// Whose end the model knows of, or is about to be told.
    private final Set<LoopId> told;

    private int working;
    private boolean closed;

    Household(Family family, SessionHandle above, Kin kin, Consumer<String> notes, Cancellation cancellation) {
        this.family = family;
        this.above = above;
        this.kin = kin;
        this.notes = notes;
        this.told = new HashSet<>(kin.settled());
        this.stopping =
                cancellation.onCancel(() -> stopAll(cancellation.reason().orElse(STOPPED)));
    }

    /// Has those go on who had not come to an end that the model knows of, and remembers the others.
    void takeFurther() {
        for (var hired : kin.children().values()) {
            var link = hired.link();
            var call = kin.calls().get(link.toolCall());
            try {
                if (told.contains(link.loop())) {
                    remember(link);
                } else if (call != null) {
                    enlist(link, call.arguments(), new SpawnRef(above.id(), hired.by(), link.toolCall(), link.tool()));
                }
            } catch (SkeinException e) {
                notes.accept("the sub-agent " + link.session() + " cannot go on: " + e.getMessage());
            }
        }
    }

    /// Somebody who works no more, and can still be asked about.
    private void remember(ChildLoopRef link) {
        var worker = new Worker(family, link, "", family.own(above, link.session()), kin.decided(), notes);
        synchronized (this) {
            workers.put(link.loop(), worker);
            standings.put(link.loop(), worker.end());
        }
    }

    /// Keeps a place for somebody who is about to be announced.
    ///
    /// @throws InvalidRequest if there is none
    synchronized void reserve(LoopId loop) {
        var max = family.runtime().familyMax();
        if (closed) {
            throw new InvalidRequest(STOPPED);
        }
        if (standings.values().stream().filter(Standing::isBusy).count() >= max) {
            throw new InvalidRequest("there are " + max + " sub-agents at work already; collect some first");
        }
        standings.put(loop, new Standing.Queued());
    }

    /// Gives the place back, unless somebody took it.
    synchronized void release(LoopId loop) {
        if (!workers.containsKey(loop)) {
            standings.remove(loop);
            notifyAll();
        }
    }

    /// Has somebody work for this, as soon as it is their turn; once, however often it is asked for.
    Worker enlist(ChildLoopRef link, JsonNode arguments, SpawnRef spawn) {
        var there = known(link);
        if (there != null) {
            return there;
        }
        var session = family.session(above, link, spawn, arguments);
        var task = arguments
                .path(AgentTools.TASK)
                .asString(arguments.path(AgentTools.TEXT).asString(""));
        var worker = new Worker(family, link, task, session, kin.decided(), notes);
        kin.told().getOrDefault(link.loop(), List.of()).forEach(worker::tell);
        synchronized (this) {
            if (closed) {
                worker.close();
                throw new InvalidRequest(STOPPED);
            }
            workers.put(link.loop(), worker);
            standings.put(link.loop(), new Standing.Queued());
            queue.add(worker);
            startNext();
        }
        return worker;
    }

    /// Who works for this already.
    private synchronized @Nullable Worker known(ChildLoopRef link) {
        return workers.get(link.loop());
    }

    private synchronized void startNext() {
        while (working < family.runtime().atOnceMax() && !queue.isEmpty()) {
            var worker = queue.remove();
            working++;
            standings.put(worker.link().loop(), new Standing.Running());
            Thread.ofVirtual().name("agent " + worker.agent()).start(() -> finished(worker, work(worker)));
        }
    }

    private static Standing work(Worker worker) {
        try {
            return worker.work();
        } catch (RuntimeException e) {
            return new Standing.Failed(String.valueOf(e));
        }
    }

    private synchronized void finished(Worker worker, Standing standing) {
        working--;
        standings.put(worker.link().loop(), standing);
        startNext();
        notifyAll();
    }

    /// The newest work of each, and where it stands.
    synchronized Map<Worker, Standing> all() {
        var all = new LinkedHashMap<Worker, Standing>();
        workers.forEach((loop, worker) -> all.put(worker, standing(loop)));
        return all;
    }

    /// The newest work of a sub-agent.
    synchronized Optional<Worker> find(SessionId id) {
        return workers.values().stream()
                .filter(worker -> worker.id().equals(id))
                .reduce((_, last) -> last);
    }

    synchronized Standing standing(Worker worker) {
        return standing(worker.link().loop());
    }

    private Standing standing(LoopId loop) {
        return standings.getOrDefault(loop, new Standing.Queued());
    }

    /// @throws InvalidRequest if the sub-agent of this id is not one of this session
    void requireOwn(SessionId id) {
        family.own(above, id).close();
    }

    /// Waits until all of these have come to an end, or nobody can go on without a person, or the time is up.
    synchronized void await(Collection<Worker> wanted, Duration time, Cancellation cancellation)
            throws InterruptedException {
        await(
                () -> wanted.stream().allMatch(worker -> standing(worker).isOver())
                        || (nobodyWorks()
                                && wanted.stream()
                                        .anyMatch(worker -> !standing(worker).isOver())),
                time,
                cancellation);
    }

    private boolean nobodyWorks() {
        return standings.values().stream().noneMatch(Standing::isBusy);
    }

    private synchronized void await(BooleanSupplier isReached, Duration time, Cancellation cancellation)
            throws InterruptedException {
        var end = System.nanoTime() + time.toNanos();
        try (var _ = cancellation.onCancel(this::wake)) {
            while (!isReached.getAsBoolean()) {
                cancellation.check();
                var left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    break;
                }
                wait(left);
            }
        }
        // A cancelled run ends its sub-agents too; that end is no result for whoever waits here.
        cancellation.check();
    }

    private synchronized void wake() {
        notifyAll();
    }

    /// What a person has to decide, for whomever.
    synchronized List<Ask> asks() {
        return standings.values().stream()
                .flatMap(standing -> standing instanceof Standing.Waiting(var asks) ? asks.stream() : Stream.of())
                .toList();
    }

    /// Says that the model is told of their end.
    synchronized void settle(Collection<Worker> known) {
        known.forEach(worker -> told.add(worker.link().loop()));
    }

    /// Ends one of them.
    void stop(Worker worker, String why) {
        worker.cancellation.cancel(why);
        synchronized (this) {
            if (queue.remove(worker)) {
                standings.put(worker.link().loop(), new Standing.Failed(why));
                notifyAll();
            }
        }
    }

    private void stopAll(String why) {
        List<Worker> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(workers.values());
        }
        all.forEach(worker -> stop(worker, why));
    }

    @Override
    public synchronized boolean isAlone() {
        return standings.entrySet().stream().allMatch(each -> each.getValue().isOver() && told.contains(each.getKey()));
    }

    @Override
    public synchronized List<Heard> news() {
        var over = workers.values().stream()
                .filter(worker -> standing(worker).isOver()
                        && !told.contains(worker.link().loop()))
                .toList();
        if (over.isEmpty()) {
            return List.of();
        }
        settle(over);
        var text = new ArrayList<String>();
        over.forEach(worker -> text.add(told(worker, NEWS_MAX / over.size())));
        return List.of(new Heard(List.of(new Part.Text(String.join("\n\n", text))), Map.of(Kin.SETTLED, loops(over))));
    }

    /// How the work of one came to its end, as the model reads it.
    String told(Worker worker, int charsMax) {
        var who = "The sub-agent " + worker.agent() + " (" + worker.id() + ")";
        return switch (standing(worker)) {
            case Standing.Done(var answer) ->
                who + " has finished:\n"
                        + (answer.length() > charsMax
                                ? Excerpt.cut(answer, charsMax) + "\n[cut: collect it to read all]"
                                : answer);
            case Standing.Failed(var reason) -> who + " did not finish: " + reason;
            case Standing.Waiting _ -> who + " waits for a person.";
            case Standing.Queued _ -> who + " has not begun: others are at work.";
            case Standing.Running _ -> who + " is at work.";
        };
    }

    static JsonNode loops(Collection<Worker> workers) {
        var loops = JsonNodeFactory.instance.arrayNode();
        workers.forEach(worker -> loops.add(worker.link().loop().text()));
        return loops;
    }

    @Override
    public Rest beforeRest(Cancellation cancellation) throws InterruptedException {
        await(() -> nobodyWorks() || hasNews(), Duration.ofDays(1), cancellation);
        var news = news();
        if (!news.isEmpty()) {
            return new Rest.GoOn(news);
        }
        var asks = asks();
        return asks.isEmpty() ? new Rest.Now() : new Rest.Wait(asks);
    }

    private boolean hasNews() {
        return standings.entrySet().stream()
                .anyMatch(each -> each.getValue().isOver() && !told.contains(each.getKey()));
    }

    /// Nobody works on when the run is over.
    @Override
    public void close() {
        stopAll(STOPPED);
        stopping.close();
        try {
            await(this::nobodyWorks, CLOSING, new Cancellation());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            workers.values().forEach(Worker::close);
        }
    }
}

package dev.skein.session;

import static java.util.Objects.requireNonNullElse;

import dev.skein.message.Cost;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.message.Usage;
import dev.skein.session.LoopRecord.Said;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Builds one [LoopRecord] event by event. Also used alone, by stores that read single loops.
///
/// Not safe for use by several threads.
public final class LoopFold {

    private final LoopId id;
    private final SessionId session;
    private final List<Said> said = new ArrayList<>();
    private final List<Turn> turns = new ArrayList<>();
    private final List<Entry> events = new ArrayList<>();
    private final List<LoopId> children = new ArrayList<>();
    private final Set<ChildLoopRef> childRefs = new LinkedHashSet<>();
    private final Map<ToolCallId, Integer> callOrder = new HashMap<>();
    private final Set<ToolCallId> waiting = new HashSet<>();

    private long seq;
    private @Nullable Long parentSeq;
    private LoopEvent.@Nullable LoopStarted started;
    private LoopEvent.@Nullable LoopEnded ended;
    private LoopEvent.@Nullable TurnStarted turn;
    private @Nullable String rejection;
    private @Nullable CompactionBlock compaction;
    private @Nullable ParallelGroup parallel;
    private Usage usage = Usage.NONE;
    private Cost cost = Cost.NONE;
    private @Nullable LoopRecord record;

    public LoopFold(LoopId id, SessionId session) {
        this.id = id;
        this.session = session;
    }

    /// Notes the start, from which on usage counts, until the end; an end before it does not count. Returns false if
    /// the loop had started before: a
    /// second start changes nothing.
    public boolean start(LoopEvent.LoopStarted event, long atSeq) {
        if (started != null) {
            return false;
        }
        started = event;
        ended = null;
        seq = atSeq;
        parentSeq = event.parentSeq();
        return true;
    }

    /// Adds the next event of this loop.
    public void add(Entry entry, LoopEvent event) {
        record = null;
        events.add(entry);
        switch (event) {
            case LoopEvent.TurnStarted turnStarted -> turn = turnStarted;
            case LoopEvent.MessageEnded(var _, var _, var number, var message) -> say(number, message);
            case LoopEvent.ToolFinished finished -> finish(finished);
            case LoopEvent.ChildSpawned(var _, var _, var child) -> childRefs.add(child);
            case LoopEvent.ApprovalRequested requested -> waitFor(requested.call());
            case LoopEvent.ApprovalGiven given -> waiting.remove(given.call());
            case LoopEvent.InputRejected(var _, var _, var reason) -> rejection = reason;
            case LoopEvent.TurnEnded turnEnded -> endTurn(turnEnded);
            case LoopEvent.LoopEnded loopEnded -> end(loopEnded);
            case LoopEvent.LoopStarted _,
                    LoopEvent.MessageStarted _,
                    LoopEvent.MessageDelta _,
                    LoopEvent.ToolStarted _,
                    LoopEvent.ToolProgressed _,
                    LoopEvent.Progressed _,
                    LoopEvent.CompactionStarted _,
                    LoopEvent.CompactionEnded _ -> {}
        }
    }

    /// The loop so far.
    public LoopRecord record() {
        if (record == null) {
            record = new LoopRecord(
                    new LoopPointer(id, seq),
                    session,
                    started == null ? null : started.agent(),
                    started == null ? null : started.parent(),
                    parentSeq,
                    started == null ? Continuation.INITIAL : started.continuation(),
                    started == null ? Trigger.USER : started.trigger(),
                    started == null ? null : started.at(),
                    ended == null ? null : ended.at(),
                    status(),
                    rejection,
                    started == null ? null : started.config(),
                    List.copyOf(said),
                    List.copyOf(turns),
                    usage,
                    cost,
                    started == null ? Map.of() : started.metadata(),
                    List.copyOf(events),
                    List.copyOf(children),
                    List.copyOf(childRefs),
                    compaction,
                    parallel);
        }
        return record;
    }

    LoopId id() {
        return id;
    }

    /// Where it started, or 0 if it has not.
    long seq() {
        return seq;
    }

    void parentStartedAt(@Nullable Long atSeq) {
        parentSeq = atSeq;
    }

    void addChild(LoopId child) {
        record = null;
        children.add(child);
    }

    void compact(@Nullable CompactionBlock block) {
        record = null;
        compaction = block;
    }

    void join(ParallelGroup group) {
        record = null;
        parallel = group;
    }

    LoopStatus status() {
        if (ended != null) {
            return ended.status();
        }
        if (started == null) {
            return LoopStatus.PENDING;
        }
        return waiting.isEmpty() ? LoopStatus.RUNNING : LoopStatus.WAITING;
    }

    private void say(int number, Message message) {
        said.add(new Said(number, message));
        if (message.role() == Role.ASSISTANT) {
            callOrder.clear();
            message.toolCalls().forEach(call -> callOrder.put(call.id(), callOrder.size()));
        }
    }

    /// A tool's result becomes a message. Tools may finish in any order; their messages stand in the order the
    /// model asked for them.
    private void finish(LoopEvent.ToolFinished finished) {
        if (finished.child() != null) {
            childRefs.add(finished.child());
        }
        var result = finished.result();
        var message =
                Message.of(new MessageId("result-of-" + result.call()), Role.TOOL, finished.at(), new Part[] {result});
        var place = said.size();
        var order = orderOf(message);
        while (place > 0 && orderOf(said.get(place - 1).message()) > order) {
            place--;
        }
        said.add(place, new Said(finished.turn(), message));
    }

    /// Where the model asked for what this message answers; -1 for anything but a tool result.
    private int orderOf(Message message) {
        var results = message.role() == Role.TOOL ? message.toolResults() : List.<Part.ToolResult>of();
        return results.isEmpty()
                ? -1
                : callOrder.getOrDefault(results.getFirst().call(), Integer.MAX_VALUE);
    }

    private void waitFor(ToolCallId call) {
        if (running()) {
            waiting.add(call);
        }
    }

    private boolean running() {
        return started != null && ended == null;
    }

    private void endTurn(LoopEvent.TurnEnded event) {
        var turnCost = requireNonNullElse(event.cost(), Cost.NONE);
        if (running()) {
            usage = usage.plus(event.usage());
            cost = cost.plus(turnCost);
        }
        var begun = turn;
        turn = null;
        turns.add(turn(event, turnCost, begun == null ? event.at() : begun.at(), begun));
    }

    private Turn turn(
            LoopEvent.TurnEnded event, Cost turnCost, Instant startedAt, LoopEvent.@Nullable TurnStarted begun) {
        var input = new ArrayList<Message>();
        var results = new ArrayList<Message>();
        Message output = null;
        for (int i = firstOf(event.turn()); i < said.size(); i++) {
            var message = said.get(i).message();
            if (said.get(i).turn() != event.turn()) {
                continue;
            }
            switch (message.role()) {
                case ASSISTANT -> output = message;
                case TOOL -> results.add(message);
                case USER, SYSTEM -> input.add(message);
            }
        }
        return new Turn(
                new TurnId(id, event.turn()),
                begun == null ? Trigger.USER : begun.trigger(),
                startedAt,
                event.at(),
                input,
                output,
                results,
                event.usage(),
                turnCost);
    }

    /// Messages of one turn stand together at the end, so looking back from there costs what the turn has.
    private int firstOf(int number) {
        var first = said.size();
        while (first > 0 && said.get(first - 1).turn() >= number) {
            first--;
        }
        return first;
    }

    private void end(LoopEvent.LoopEnded event) {
        if (ended != null) {
            return;
        }
        if (running()) {
            usage = requireNonNullElse(event.usage(), usage);
            cost = requireNonNullElse(event.cost(), cost);
        }
        ended = event;
        if (event.status() == LoopStatus.REJECTED && rejection == null) {
            rejection = event.reason();
        }
    }
}

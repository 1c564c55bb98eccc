package dev.skein.testkit;

import dev.skein.message.Message;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.message.Usage;
import dev.skein.session.CompactionBlock;
import dev.skein.session.CompactionBlock.KeptTurns;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.session.LoopPointer;
import dev.skein.session.LoopRecord;
import dev.skein.session.LoopStatus;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionEvent.CompactionBlockSet;
import dev.skein.session.SessionState;
import dev.skein.store.SessionHandle;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// Lets one session live a varied life: turns, tools, branches, undo, clearing, compaction, parallel loops, loops that
/// are broken off, rejected or continued much later. Same seed, same life.
///
/// For use by one thread.
public final class RandomSession {

    private final Clock clock;
    private final Random random;
    private final Events events;
    private final List<LoopPointer> loops = new ArrayList<>();
    private final List<LoopId> running = new ArrayList<>();
    private final List<String> blocks = new ArrayList<>();
    private int said;

    public RandomSession(Clock clock, long seed) {
        this.clock = clock;
        this.random = new Random(seed);
        this.events = new Events(clock, seed);
    }

    /// Appends whatever comes next.
    public void step(SessionHandle handle) {
        var state = handle.state();
        var next = switch (random.nextInt(13)) {
            case 0, 1, 2 -> loop(state.head(), LoopStatus.COMPLETED);
            case 3 -> loop(anyLoop(), LoopStatus.COMPLETED);
            case 4 -> loop(state.head(), LoopStatus.ABORTED);
            case 5 -> loop(state.head(), LoopStatus.REJECTED);
            case 6 -> loop(state.head(), null);
            case 7 -> goOn();
            case 8 -> List.of(events.headMoved(anyLoop()));
            case 9 -> random.nextInt(4) == 0 ? List.of(events.cleared()) : parallel(state);
            case 10 -> compact(handle, state);
            case 11 -> removeBlock();
            default -> List.of(events.described("said " + said), events.unknown("unheard_of"));
        };
        if (!next.isEmpty()) {
            remember(handle.append(next).first(), next);
        }
    }

    /// Forgets what happened after this fork's beginning.
    void goOnFrom(SessionHandle fork) {
        var state = fork.state();
        loops.removeIf(pointer -> pointer.seq() >= state.version());
        running.retainAll(loops.stream().map(LoopPointer::loop).toList());
    }

    /// Appends something to a session that is not the one this life is about.
    void stepAside(SessionHandle other) {
        other.append(events.exchange(other.state().head(), "aside", "indeed"));
    }

    private void remember(long first, List<SessionEvent> appended) {
        for (int i = 0; i < appended.size(); i++) {
            if (appended.get(i) instanceof LoopEvent.LoopStarted started) {
                loops.add(new LoopPointer(started.loop(), first + i));
            }
        }
    }

    private @Nullable LoopPointer anyLoop() {
        return loops.isEmpty() || random.nextInt(8) == 0 ? null : loops.get(random.nextInt(loops.size()));
    }

    /// A loop of one to three turns; without a status it stays open, perhaps in the middle of a tool call.
    private List<SessionEvent> loop(@Nullable LoopPointer parent, @Nullable LoopStatus status) {
        var loop = events.ids().loop();
        var made = new ArrayList<SessionEvent>();
        made.add(events.started(loop, parent));
        var turns = 1 + random.nextInt(3);
        for (int turn = 0; turn < turns; turn++) {
            turn(made, loop, turn, status == null && turn == turns - 1);
        }
        if (status == null) {
            running.add(loop);
        } else {
            made.add(events.ended(loop, status));
        }
        return made;
    }

    private void turn(List<SessionEvent> made, LoopId loop, int turn, boolean breakOff) {
        made.add(events.turnStarted(loop, turn));
        if (turn == 0) {
            made.add(events.said(loop, turn, Role.USER, text()));
        }
        var calls = new ArrayList<ToolCallId>();
        for (int i = random.nextInt(4); i > 0; i--) {
            calls.add(new ToolCallId("call-" + events.ids().message()));
        }
        if (calls.isEmpty()) {
            made.add(events.said(loop, turn, Role.ASSISTANT, text()));
        } else {
            made.add(events.asked(loop, turn, calls.toArray(ToolCallId[]::new)));
            var finished = breakOff ? calls.subList(1, calls.size()) : calls;
            for (var call : random.nextBoolean() ? finished : finished.reversed()) {
                made.add(events.answered(loop, turn, call, text()));
            }
        }
        if (!breakOff) {
            made.add(events.turnEnded(loop, turn));
        }
    }

    private List<SessionEvent> goOn() {
        if (running.isEmpty()) {
            return List.of();
        }
        var loop = running.get(random.nextInt(running.size()));
        var made = new ArrayList<SessionEvent>();
        made.add(events.said(loop, 9, Role.ASSISTANT, text()));
        if (random.nextBoolean()) {
            made.add(events.ended(loop, LoopStatus.COMPLETED));
            running.remove(loop);
        }
        return made;
    }

    private List<SessionEvent> parallel(SessionState state) {
        var one = events.ids().loop();
        var two = events.ids().loop();
        var both = List.of(one, two);
        var made = new ArrayList<SessionEvent>();
        made.add(new SessionEvent.ParallelStarted(clock.instant(), both, state.head()));
        both.forEach(loop -> made.add(events.started(loop, state.head())));
        both.forEach(loop -> made.add(events.said(loop, 0, Role.USER, text())));
        both.forEach(loop -> made.add(events.said(loop, 0, Role.ASSISTANT, text())));
        both.forEach(loop -> made.add(events.ended(loop, LoopStatus.COMPLETED)));
        var winner = random.nextInt(2);
        made.add(new SessionEvent.ParallelEnded(clock.instant(), both, both.get(winner), winner, Usage.of(1, 1)));
        return made;
    }

    private List<SessionEvent> compact(SessionHandle handle, SessionState state) {
        var path = handle.load().path();
        if (path.isEmpty()) {
            return List.of();
        }
        var from = random.nextInt(path.size());
        var until = path.get(from + random.nextInt(path.size() - from));
        var id = "block-" + said++;
        blocks.add(id);
        return List.of(new CompactionBlockSet(
                clock.instant(),
                new CompactionBlock(
                        id,
                        from == 0 ? null : path.get(from).pointer(),
                        until.pointer(),
                        random.nextBoolean() ? null : 0,
                        kept(path.get(from)),
                        List.of(Message.of(events.ids().message(), Role.USER, clock.instant(), "summary " + id)),
                        clock.instant(),
                        state.compaction())));
    }

    private List<KeptTurns> kept(LoopRecord loop) {
        return random.nextBoolean() ? List.of() : List.of(new KeptTurns(loop.pointer(), 0, random.nextInt(2)));
    }

    private List<SessionEvent> removeBlock() {
        return blocks.isEmpty()
                ? List.of()
                : List.of(new SessionEvent.CompactionBlockRemoved(
                        clock.instant(), blocks.get(random.nextInt(blocks.size()))));
    }

    private String text() {
        return "text " + said++;
    }
}

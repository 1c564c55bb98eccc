package dev.skein.session;

import static java.util.Objects.requireNonNull;

import dev.skein.session.LoopEvent.LoopEnded;
import dev.skein.session.LoopEvent.LoopStarted;
import dev.skein.session.SessionEvent.CompactionBlockSet;
import dev.skein.session.SessionEvent.HeadMoved;
import dev.skein.session.SessionEvent.ParallelStarted;
import dev.skein.session.SessionEvent.SessionOpened;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One session while it is recorded: gives events their numbers and remembers which were handed out.
///
/// Whoever sent the events could not know their sequence numbers, so those inside events are set here.
///
/// Not safe for use by several threads.
final class Recording {

    private final SessionFold fold = new SessionFold();
    private int handedOut;

    Recording(SessionOpened opened) {
        fold.add(Entry.of(1, opened));
    }

    SessionState state() {
        return requireNonNull(fold.state());
    }

    Session session() {
        return fold.session();
    }

    /// Adds an event. Returns false, and does nothing, for a start of what has started.
    boolean add(SessionEvent event) {
        if (event instanceof SessionOpened
                || (event instanceof LoopStarted started && fold.pointerTo(started.loop()) != null)) {
            return false;
        }
        append(placed(event));
        return true;
    }

    /// Says by whom this session was spawned, unless it says so already: also in its first event, if nobody has
    /// seen that.
    void supplySpawn(SpawnRef spawn) {
        if (state().opened().spawn() == null) {
            fold.supplySpawn(spawn);
            if (handedOut == 0) {
                fold.rewriteOpening();
            }
        }
    }

    /// Ends the loops that are still open.
    void abortLoops(Instant at, String reason) {
        for (var loop : fold.unfinished()) {
            append(new LoopEnded(at, loop, LoopStatus.ABORTED, reason, null, null));
        }
    }

    /// The entries that were not handed out yet.
    List<Entry> handOut() {
        var fresh = fold.entriesFrom(handedOut);
        handedOut += fresh.size();
        return fresh;
    }

    private void append(SessionEvent event) {
        fold.add(Entry.of(state().version() + 1, event));
    }

    private SessionEvent placed(SessionEvent event) {
        return switch (event) {
            case LoopStarted started -> placed(started);
            case ParallelStarted(var at, var loops, var parent) -> new ParallelStarted(at, loops, placed(parent));
            case HeadMoved(var at, var head, var reason) -> new HeadMoved(at, placed(head), reason);
            case CompactionBlockSet(var at, var block) -> new CompactionBlockSet(at, placed(block));
            case LoopEvent _,
                    SessionOpened _,
                    SessionEvent.SessionRenamed _,
                    SessionEvent.SessionDescribed _,
                    SessionEvent.SessionConfigured _,
                    SessionEvent.SessionCleared _,
                    SessionEvent.CompactionBlockRemoved _,
                    SessionEvent.ParallelEnded _,
                    SessionEvent.Opaque _ -> event;
        };
    }

    private LoopStarted placed(LoopStarted started) {
        var parent = fold.pointerTo(started.parent());
        return new LoopStarted(
                started.at(),
                started.loop(),
                started.parent(),
                parent == null ? null : parent.seq(),
                started.continuation(),
                started.trigger(),
                started.agent(),
                started.config(),
                started.metadata());
    }

    private CompactionBlock placed(CompactionBlock block) {
        return new CompactionBlock(
                block.id(),
                placed(block.from()),
                known(block.until()),
                block.untilTurn(),
                block.kept().stream()
                        .map(kept -> new CompactionBlock.KeptTurns(known(kept.loop()), kept.first(), kept.last()))
                        .toList(),
                block.messages(),
                block.createdAt(),
                state().compaction());
    }

    private @Nullable LoopPointer placed(@Nullable LoopPointer pointer) {
        return pointer == null ? null : known(pointer);
    }

    /// A pointer to a loop that is not here stays as it was.
    private LoopPointer known(LoopPointer pointer) {
        var here = fold.pointerTo(pointer.loop());
        return here == null ? pointer : here;
    }
}

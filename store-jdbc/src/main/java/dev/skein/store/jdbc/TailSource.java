package dev.skein.store.jdbc;

import dev.skein.session.CompactionBlock;
import dev.skein.session.CompactionBlock.BlockPointer;
import dev.skein.session.Entry;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopFold;
import dev.skein.session.LoopPointer;
import dev.skein.session.LoopRecord;
import dev.skein.session.LoopSource;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionState;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Looks up loops, fetching little more than what is asked for: the newest events at once, older ones in growing
/// pieces while the loops asked for lie just before, and those far away on their own. Used once, by one thread.
final class TailSource implements LoopSource {

    private static final int PIECE_FIRST = 128;
    private static final int PIECE_MAX = 2048;

    private final History history;
    private final SessionState state;
    private final TreeMap<Long, Entry> entries = new TreeMap<>();
    private int piece = PIECE_FIRST;

    TailSource(History history, SessionState state) {
        this.history = history;
        this.state = state;
    }

    @Override
    public @Nullable LoopRecord loop(LoopPointer pointer) {
        var fold = new LoopFold(pointer.loop(), state.id());
        for (var seq = pointer.seq(); seq <= state.version(); seq++) {
            var entry = entry(seq);
            if (entry == null
                    || !(entry.event() instanceof LoopEvent event)
                    || !event.loop().equals(pointer.loop())) {
                if (seq == pointer.seq()) {
                    return null;
                }
                continue;
            }
            if (event instanceof LoopEvent.LoopStarted started) {
                fold.start(started, seq);
            }
            fold.add(entry, event);
            if (event instanceof LoopEvent.LoopEnded) {
                break;
            }
        }
        return fold.record();
    }

    @Override
    public @Nullable CompactionBlock block(BlockPointer pointer) {
        var entry = entry(pointer.seq());
        return entry != null && entry.event() instanceof SessionEvent.CompactionBlockSet(var _, var block)
                ? block
                : null;
    }

    private @Nullable Entry entry(long seq) {
        if (seq < 1 || seq > state.version()) {
            return null;
        }
        if (!entries.containsKey(seq)) {
            fetch(seq);
        }
        return entries.get(seq);
    }

    /// What lies just before something known is fetched up to there, else from here on.
    private void fetch(long seq) {
        var next = entries.isEmpty() ? state.version() + 1 : after(seq);
        var near = next - seq <= piece;
        var first = near ? Math.max(1, next - piece) : seq;
        var last = near ? next - 1 : Math.min(next - 1, seq + piece - 1);
        for (var entry : history.range(first, last)) {
            entries.put(entry.seq(), entry);
        }
        piece = Math.min(piece * 2, PIECE_MAX);
    }

    private long after(long seq) {
        var next = entries.higherKey(seq);
        return next == null ? state.version() + 1 : next;
    }
}

package dev.skein.store.memory;

import dev.skein.failure.Concurrent;
import dev.skein.session.CompactionBlock;
import dev.skein.session.CompactionBlock.BlockPointer;
import dev.skein.session.Entry;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopFold;
import dev.skein.session.LoopId;
import dev.skein.session.LoopPointer;
import dev.skein.session.LoopRecord;
import dev.skein.session.LoopSource;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionState;
import dev.skein.store.Appended;
import dev.skein.store.Batch;
import dev.skein.store.query.Retry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The events of one session, and what follows from them.
///
/// A fork's journal refers to its parent's for everything up to `shared`; only what came after is its own. The
/// parent's may grow on, and its session may be deleted: as long as a fork refers to it, it stays.
///
/// Safe for use by many threads. The lock is held only while a list is copied or extended, never while somebody
/// else's code runs, `check` excepted.
final class MemoryJournal {

    /// Events between two remembered states, from which the states between are computed.
    private static final int CHECKPOINT_DISTANCE = 256;

    private static final int CHUNK_LENGTH = 1_000;

    private final @Nullable MemoryJournal parent;
    private final long shared;
    private final List<Entry> own = new ArrayList<>();
    private final Map<LoopId, List<Entry>> loops = new HashMap<>();
    private final NavigableMap<Long, SessionState> checkpoints = new TreeMap<>();
    private final Map<String, Appended> keyed = new LinkedHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private SessionState state;

    private MemoryJournal(@Nullable MemoryJournal parent, long shared, SessionState first, Entry opening) {
        this.parent = parent;
        this.shared = shared;
        this.state = first;
        own.add(opening);
        checkpoints.put(opening.seq(), first);
    }

    /// A new session's journal.
    static MemoryJournal of(SessionEvent.SessionOpened opened) {
        var opening = Entry.of(1, opened);
        return new MemoryJournal(null, 0, SessionState.opening(opening), opening);
    }

    /// A journal that shares this one's events up to and including `seq`, which must be there.
    MemoryJournal fork(long seq, SessionEvent.SessionOpened opened) {
        var opening = Entry.of(seq + 1, opened);
        return new MemoryJournal(this, seq, stateAt(seq).after(opening), opening);
    }

    SessionState state() {
        lock.lock();
        try {
            return state;
        } finally {
            lock.unlock();
        }
    }

    /// Appends the batch, unless `check` throws: it runs when nobody else can append.
    Appended append(Batch batch, Runnable check) {
        lock.lock();
        try {
            check.run();
            var before = batch.key() == null ? null : keyed.get(batch.key());
            if (before != null) {
                return Retry.settle(state.id(), batch, range(before.first(), before.last()));
            }
            if (batch.expectedVersion() != state.version()) {
                throw new Concurrent(state.id(), batch.expectedVersion(), state.version());
            }
            var appended = add(batch.events(), batch.key());
            changed.signalAll();
            return appended;
        } finally {
            lock.unlock();
        }
    }

    /// Everybody who waits for an event looks again.
    void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// The event `seq`, waiting for it at most so long; `check` may throw to end the wait.
    Optional<Entry> await(long seq, Duration wait, Runnable check) throws InterruptedException {
        var nanos = TimeUnit.NANOSECONDS.convert(wait);
        lock.lock();
        try {
            check.run();
            while (state.version() < seq) {
                if (nanos <= 0) {
                    return Optional.empty();
                }
                nanos = changed.awaitNanos(nanos);
                check.run();
            }
            return Optional.of(range(seq, seq).getFirst());
        } finally {
            lock.unlock();
        }
    }

    /// Some of the events from `first` up to and including `last`, which must be there: at least one, and not so many
    /// that copying them would keep a writer waiting.
    List<Entry> chunk(long first, long last) {
        return range(first, Math.min(last, first + CHUNK_LENGTH - 1));
    }

    /// The events from `first` up to and including `last`, as far as one journal of the chain has them.
    private List<Entry> range(long first, long last) {
        var journal = this;
        var end = last;
        while (journal.parent != null && first <= journal.shared) {
            end = Math.min(end, journal.shared);
            journal = journal.parent;
        }
        return journal.ownRange(first, end);
    }

    /// Loops and blocks as of this version.
    LoopSource loopsAt(long version) {
        return new LoopSource() {
            @Override
            public @Nullable LoopRecord loop(LoopPointer pointer) {
                var entries = entriesOf(pointer.loop(), version);
                if (entries.isEmpty()) {
                    return null;
                }
                var fold = new LoopFold(pointer.loop(), state().id());
                for (var entry : entries) {
                    if (entry.event() instanceof LoopEvent.LoopStarted started) {
                        fold.start(started, entry.seq());
                    }
                    fold.add(entry, (LoopEvent) entry.event());
                }
                return fold.record();
            }

            @Override
            public @Nullable CompactionBlock block(BlockPointer pointer) {
                var entry = range(pointer.seq(), pointer.seq()).getFirst();
                return entry.event() instanceof SessionEvent.CompactionBlockSet set ? set.block() : null;
            }
        };
    }

    private Appended add(List<SessionEvent> events, @Nullable String key) {
        var first = state.version() + 1;
        var added = new ArrayList<Entry>(events.size());
        var after = state;
        for (var event : events) {
            var entry = new Entry(after.version() + 1, event, added.isEmpty() ? key : null, null);
            after = after.after(entry);
            added.add(entry);
        }
        own.addAll(added);
        for (var entry : added) {
            if (entry.event() instanceof LoopEvent event) {
                loops.computeIfAbsent(event.loop(), _ -> new ArrayList<>()).add(entry);
            }
        }
        state = after;
        if (after.version() - checkpoints.lastKey() >= CHECKPOINT_DISTANCE) {
            checkpoints.put(after.version(), after);
        }
        var appended = new Appended(first, after.version(), false);
        if (key != null) {
            remember(key, appended);
        }
        return appended;
    }

    private void remember(String key, Appended appended) {
        keyed.put(key, appended);
        if (keyed.size() > SessionState.KEYS_MAX) {
            keyed.remove(keyed.keySet().iterator().next());
        }
    }

    private List<Entry> ownRange(long first, long last) {
        lock.lock();
        try {
            return List.copyOf(own.subList((int) (first - shared - 1), (int) (last - shared)));
        } finally {
            lock.unlock();
        }
    }

    private SessionState stateAt(long seq) {
        var journal = this;
        while (journal.parent != null && seq <= journal.shared) {
            journal = journal.parent;
        }
        return journal.ownStateAt(seq);
    }

    private SessionState ownStateAt(long seq) {
        lock.lock();
        try {
            if (seq == state.version()) {
                return state;
            }
            var at = checkpoints.floorEntry(seq).getValue();
            for (var entry : own.subList((int) (at.version() - shared), (int) (seq - shared))) {
                at = at.after(entry);
            }
            return at;
        } finally {
            lock.unlock();
        }
    }

    /// The loop's events up to and including `version`, in order.
    private List<Entry> entriesOf(LoopId loop, long version) {
        var newestFirst = new ArrayList<Entry>();
        var last = version;
        for (var journal = this; journal != null; journal = journal.parent) {
            journal.collectNewestFirst(loop, last, newestFirst);
            last = Math.min(last, journal.shared);
        }
        return newestFirst.reversed();
    }

    private void collectNewestFirst(LoopId loop, long last, List<Entry> into) {
        lock.lock();
        try {
            for (var entry : loops.getOrDefault(loop, List.of()).reversed()) {
                if (entry.seq() <= last) {
                    into.add(entry);
                }
            }
        } finally {
            lock.unlock();
        }
    }
}

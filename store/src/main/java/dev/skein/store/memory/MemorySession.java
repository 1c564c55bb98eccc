package dev.skein.store.memory;

import dev.skein.failure.SessionLocked;
import dev.skein.failure.SessionNotFound;
import dev.skein.session.Entry;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import dev.skein.session.SessionState;
import dev.skein.store.Appended;
import dev.skein.store.Batch;
import dev.skein.store.SessionGuard;
import dev.skein.store.SessionSummary;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One session of the store: its journal, its name, and whose turn it is. All handles of a session share it.
///
/// Safe for use by many threads; the alias is changed only by the store, under the store's lock.
final class MemorySession {

    private enum Life {
        ALIVE,
        DELETED,
        CLOSED
    }

    private final Scope scope;
    private final SessionId id;
    private final MemoryJournal journal;
    private final Instant restoredAt;
    private final Semaphore turn = new Semaphore(1, true);
    private volatile @Nullable Thread holder;
    private volatile @Nullable SessionAlias alias;
    private volatile Life life = Life.ALIVE;

    MemorySession(Scope scope, SessionId id, MemoryJournal journal, @Nullable SessionAlias alias) {
        this(scope, id, journal, alias, Instant.MIN);
    }

    /// A session that was in the trash until `restoredAt`.
    MemorySession(Scope scope, SessionId id, MemoryJournal journal, @Nullable SessionAlias alias, Instant restoredAt) {
        this.scope = scope;
        this.id = id;
        this.journal = journal;
        this.alias = alias;
        this.restoredAt = restoredAt;
    }

    Scope scope() {
        return scope;
    }

    SessionId id() {
        return id;
    }

    MemoryJournal journal() {
        return journal;
    }

    @Nullable
    SessionAlias alias() {
        return alias;
    }

    Instant restoredAt() {
        return restoredAt;
    }

    void rename(@Nullable SessionAlias newAlias) {
        alias = newAlias;
    }

    SessionState state() {
        requireAlive();
        var state = journal.state();
        return state.named(alias, state.autoname());
    }

    /// Also for a session in the trash.
    SessionSummary summary() {
        var state = journal.state();
        return SessionSummary.of(state.named(alias, state.autoname()));
    }

    void read(long from, Consumer<Entry> each) {
        requireAlive();
        var last = journal.state().version();
        var next = Math.max(1, from);
        while (next <= last) {
            var entries = journal.chunk(next, last);
            entries.forEach(each);
            next += entries.size();
        }
    }

    Appended append(Batch batch) {
        return journal.append(batch, this::requireAlive);
    }

    SessionGuard lock(Duration wait) {
        requireAlive();
        if (Thread.currentThread().equals(holder)) {
            throw new IllegalStateException(
                    "this thread holds a guard of session " + id + " and would wait for itself; close that first");
        }
        if (!acquire(wait)) {
            throw new SessionLocked(id, wait);
        }
        holder = Thread.currentThread();
        var guard = new Guard();
        try {
            requireAlive();
            return guard;
        } catch (SessionNotFound | IllegalStateException e) {
            guard.close();
            throw e;
        }
    }

    /// Deletes the session, unless it is somebody's turn or the session is not as it was.
    boolean deleteIfStill(SessionSummary as) {
        if (!turn.tryAcquire()) {
            return false;
        }
        try {
            if (!summary().equals(as)) {
                return false;
            }
            delete();
            return true;
        } finally {
            turn.release();
        }
    }

    void delete() {
        end(Life.DELETED);
    }

    void close() {
        end(Life.CLOSED);
    }

    void requireAlive() {
        switch (life) {
            case ALIVE -> {}
            case DELETED -> throw SessionNotFound.deleted(id);
            case CLOSED -> throw new IllegalStateException("the store of session " + id + " was closed");
        }
    }

    private void end(Life as) {
        life = as;
        journal.wake();
    }

    private boolean acquire(Duration wait) {
        try {
            return turn.tryAcquire(TimeUnit.NANOSECONDS.convert(wait), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            // Who is interrupted does not wait, but may take what is free.
            Thread.currentThread().interrupt();
            return turn.tryAcquire();
        }
    }

    /// The right to write to this session.
    private final class Guard implements SessionGuard {

        private final AtomicBoolean closed = new AtomicBoolean();

        @Override
        public SessionState state() {
            requireOpen();
            return MemorySession.this.state();
        }

        @Override
        public Appended append(Batch batch) {
            requireOpen();
            return MemorySession.this.append(batch);
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                holder = null;
                turn.release();
            }
        }

        private void requireOpen() {
            if (closed.get()) {
                throw new IllegalStateException("this guard of session " + id + " was closed; take another");
            }
        }
    }
}

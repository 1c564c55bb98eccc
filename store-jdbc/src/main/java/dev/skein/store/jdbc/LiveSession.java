package dev.skein.store.jdbc;

import dev.skein.failure.SessionDamaged;
import dev.skein.session.Entry;
import dev.skein.session.Scope;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.session.SessionState;
import dev.skein.store.jdbc.sql.Database;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// One session in use: what all its handles in this process share. Remembers the newest state known here, and
/// brings it up to date from the database. Safe for use by many threads.
final class LiveSession {

    private final Database database;
    private final Checkpoints checkpoints;
    private final UUID session;
    private final Scope scope;
    private final SessionId id;
    private final Turnstile turnstile;
    private final Stops stops = new Stops();
    private final ReentrantLock mutex = new ReentrantLock();
    private final Condition news = mutex.newCondition();
    private @Nullable History history;
    private @Nullable SessionState state;
    private long seen;
    private long alarms;
    private long saved;

    LiveSession(Database database, UUID session, Scope scope, SessionId id) {
        this.database = database;
        this.checkpoints = new Checkpoints(database);
        this.session = session;
        this.scope = scope;
        this.id = id;
        this.turnstile = new Turnstile(id);
    }

    /// As the tables call it: its id, unless another session had that first.
    UUID session() {
        return session;
    }

    Scope scope() {
        return scope;
    }

    SessionId id() {
        return id;
    }

    Turnstile turnstile() {
        return turnstile;
    }

    Stops stops() {
        return stops;
    }

    History history() {
        mutex.lock();
        try {
            if (history == null) {
                history = History.of(database, session);
            }
            return history;
        } finally {
            mutex.unlock();
        }
    }

    /// The state at `version`, which the database has; or a newer one, if that is known here.
    SessionState catchUp(long version) {
        mutex.lock();
        try {
            var known = state;
            if (known == null) {
                known = checkpoints.before(history().segments(), version).orElse(null);
                saved = known == null ? 0 : known.version();
            }
            if (known == null || known.version() < version) {
                known = folded(history(), known, version);
            }
            state = known;
            return known;
        } finally {
            mutex.unlock();
        }
    }

    /// The newest version known here, or 0 if nothing is known.
    long newest() {
        mutex.lock();
        try {
            return Math.max(seen, state == null ? 0 : state.version());
        } finally {
            mutex.unlock();
        }
    }

    /// The newest state known here.
    @Nullable
    SessionState known() {
        mutex.lock();
        try {
            return state;
        } finally {
            mutex.unlock();
        }
    }

    /// These events are in the database from `first` on.
    void advance(long first, List<SessionEvent> events, @Nullable String key) {
        mutex.lock();
        try {
            var after = state;
            if (after != null && after.version() + 1 == first) {
                var keyOfNext = key;
                for (var event : events) {
                    after = after.after(new Entry(after.version() + 1, event, keyOfNext, null));
                    keyOfNext = null;
                }
                state = after;
            }
        } finally {
            mutex.unlock();
        }
        saw(first + events.size() - 1);
    }

    /// What was thought to be known may not be so.
    void forget() {
        mutex.lock();
        try {
            state = null;
        } finally {
            mutex.unlock();
        }
    }

    /// Somebody says that there are events up to `version`.
    void saw(long version) {
        mutex.lock();
        try {
            if (version > seen) {
                seen = version;
                news.signalAll();
            }
        } finally {
            mutex.unlock();
        }
    }

    /// Something else happened: whoever waits should look.
    void alarm() {
        mutex.lock();
        try {
            alarms++;
            news.signalAll();
        } finally {
            mutex.unlock();
        }
    }

    long alarms() {
        mutex.lock();
        try {
            return alarms;
        } finally {
            mutex.unlock();
        }
    }

    /// Waits until there is more than `version`, or an alarm beyond so many, or the time is over.
    void awaitBeyond(long version, long alarmsKnown, long nanos) throws InterruptedException {
        var left = nanos;
        mutex.lockInterruptibly();
        try {
            while (seen <= version && alarms == alarmsKnown && left > 0) {
                left = news.awaitNanos(left);
            }
        } finally {
            mutex.unlock();
        }
    }

    /// Writes the state down, if it is newer than what was written.
    void save() {
        var known = known();
        if (known != null && known.version() > savedVersion()) {
            checkpoints.save(session, known);
            mutex.lock();
            try {
                saved = Math.max(saved, known.version());
            } finally {
                mutex.unlock();
            }
        }
    }

    private long savedVersion() {
        mutex.lock();
        try {
            return saved;
        } finally {
            mutex.unlock();
        }
    }

    private SessionState folded(History from, @Nullable SessionState start, long version) {
        var fold = new SessionState[] {start};
        from.read(start == null ? 1 : start.version() + 1, version, entry -> {
            var before = fold[0];
            if (before != null) {
                fold[0] = before.after(entry);
            } else if (entry.event() instanceof SessionEvent.SessionOpened) {
                fold[0] = SessionState.opening(entry);
            } else {
                throw new SessionDamaged(id, "its first event cannot be read");
            }
        });
        return fold[0];
    }
}

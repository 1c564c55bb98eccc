package dev.skein.store.jdbc;

import dev.skein.failure.SessionLocked;
import dev.skein.failure.SessionNotFound;
import dev.skein.failure.StorageFailed;
import dev.skein.store.jdbc.sql.Database;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The right to write to a session, among all programs that use the database. It has to be renewed; who fails to
/// is taken for dead, and finds at the next append that its token is not the newest any more. Times are the
/// database's.
///
/// Safe for use by many threads.
final class Leases {

    private static final Logger LOG = LoggerFactory.getLogger(Leases.class);
    private static final long PAUSE_MIN = 2_000_000;
    private static final long PAUSE_MAX = 100_000_000;

    private final Database database;
    private final String holder;
    private final Duration length;
    private final Set<Lease> held = ConcurrentHashMap.newKeySet();

    /// `holder` is for people who look at the table.
    Leases(Database database, String holder, Duration length) {
        this.database = database;
        this.holder = holder;
        this.length = length;
    }

    boolean isMine(String someHolder) {
        return holder.equals(someHolder);
    }

    /// A lease that was given: the session was at this version then.
    record Lease(LiveSession session, long token, long version) {}

    /// Waits for a lease, in this process's turn.
    ///
    /// @throws SessionLocked if another program has it until `deadline`, or the caller is interrupted
    Lease acquire(LiveSession session, long deadline, Duration wait) {
        for (var pause = PAUSE_MIN; ; pause = Math.min(pause * 2, PAUSE_MAX)) {
            var lease = tryAcquire(session);
            if (lease != null) {
                return lease;
            }
            var left = deadline - System.nanoTime();
            if (left <= 0 || Thread.currentThread().isInterrupted()) {
                throw new SessionLocked(session.id(), wait);
            }
            LockSupport.parkNanos(Math.min(pause, left));
        }
    }

    private @Nullable Lease tryAcquire(LiveSession session) {
        var now = database.dialect().now();
        var lease = database.write(
                "lock session " + session.id(),
                link -> link.first(
                        "UPDATE skein_head SET token = token + 1, holder = ?, expires = " + now + " + ?"
                                + " WHERE session = ? AND life = 'live' AND (holder IS NULL OR expires <= " + now
                                + ") RETURNING token, version",
                        row -> new Lease(session, row.getLong(1), row.getLong(2)),
                        holder,
                        length.toMillis(),
                        session.session()));
        lease.ifPresent(held::add);
        if (lease.isEmpty() && new Heads(database).find(session.session()).isEmpty()) {
            throw SessionNotFound.deleted(session.id());
        }
        return lease.orElse(null);
    }

    /// Lets others write. If that fails or gets lost, the lease runs out by itself.
    void release(Lease lease) {
        held.remove(lease);
        try {
            database.write(
                    "unlock session " + lease.session().id(),
                    link -> link.update(
                            "UPDATE skein_head SET holder = NULL, expires = NULL"
                                    + database.dialect().relaxed() + " WHERE session = ? AND token = ?"
                                    + " AND holder = ?",
                            lease.session().session(),
                            lease.token(),
                            holder));
        } catch (StorageFailed e) {
            LOG.warn(
                    "session {}: its lease could not be given back and runs out in a while",
                    lease.session().id(),
                    e);
        }
    }

    /// Tells the database that this program lives.
    void renew() {
        var leases = new ArrayList<@Nullable Object[]>();
        for (var lease : held) {
            leases.add(
                    new @Nullable Object[] {length.toMillis(), lease.session().session(), lease.token(), holder});
        }
        if (leases.isEmpty()) {
            return;
        }
        try {
            database.write("renew leases", link -> {
                link.updateAll(
                        "UPDATE skein_head SET expires = " + database.dialect().now() + " + ?"
                                + database.dialect().relaxed() + " WHERE session = ? AND token = ? AND holder = ?",
                        leases);
                return true;
            });
        } catch (StorageFailed e) {
            LOG.warn("{} leases could not be renewed: {}", leases.size(), e.getMessage());
        }
    }

    void releaseAll() {
        held.forEach(this::release);
    }
}

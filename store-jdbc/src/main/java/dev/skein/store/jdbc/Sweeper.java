package dev.skein.store.jdbc;

import dev.skein.failure.SessionNotFound;
import dev.skein.session.SessionId;
import dev.skein.store.jdbc.sql.Database;
import dev.skein.store.jdbc.sql.Database.Duplicate;
import dev.skein.store.jdbc.sql.Dialect;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Takes sessions away: into the trash and back, and for good. Whoever asks for it sees it at once; the rows go in
/// small batches afterwards, and those that a fork still reads stay until the last of them is gone.
///
/// Safe for use by many threads, and to be killed at any time: the next one goes on.
final class Sweeper {

    private static final int ROWS_MAX = 5_000;
    private static final int SESSIONS_MAX = 200;

    private final Database database;

    Sweeper(Database database) {
        this.database = database;
    }

    /// Deletes a session; returns what the tables called it.
    void delete(UUID session, SessionId id) {
        if (!end(session, "live", "gone", null)) {
            throw SessionNotFound.named(id);
        }
        sweep(session);
    }

    /// Moves a session to the trash, unless somebody has a lease or it is not at this version any more.
    boolean trash(UUID session, long version, Instant now) {
        return database.transaction("purge a session", link -> {
            var free = link.update(
                            "UPDATE skein_head SET life = 'trash', minute = NULL, token = token + 1, holder = NULL,"
                                    + " expires = NULL"
                                    + " WHERE session = ? AND life = 'live' AND version = ?"
                                    + " AND (holder IS NULL OR expires <= "
                                    + database.dialect().now() + ")",
                            session,
                            version)
                    > 0;
            if (free) {
                link.update(
                        "UPDATE skein_session SET life = 'trash', purged_at = ? WHERE session = ?",
                        Bodies.nanos(now),
                        session);
            }
            return free;
        });
    }

    /// Brings a session back from the trash, without its name if that was given away.
    void restore(UUID session, SessionId id, Instant now) {
        try {
            restore(session, id, now, "");
        } catch (Duplicate _) {
            restore(session, id, now, ", alias = NULL, alias_folded = NULL");
        }
    }

    /// `purged_at` of a session that is alive again is the time at which its trash ended, see [Catalog.Listed].
    private void restore(UUID session, SessionId id, Instant now, String also) {
        database.transaction("restore session " + id, link -> {
            var there = link.update(
                    "UPDATE skein_session SET life = 'live', purged_at = ?" + also
                            + " WHERE session = ? AND life = 'trash'",
                    Bodies.nanos(now),
                    session);
            if (there == 0) {
                throw SessionNotFound.named(id);
            }
            return link.update(
                    "UPDATE skein_head SET life = 'live', minute = activity / " + Dialect.NANOS_PER_MINUTE
                            + " WHERE session = ?",
                    session);
        });
    }

    boolean hasForks(UUID session) {
        return !forks(session).isEmpty();
    }

    /// Removes what was purged before `limit`, and what an earlier life had no time for.
    void empty(Instant limit) {
        for (var session : past("trash", " AND purged_at < ?", Bodies.nanos(limit))) {
            end(session, "trash", "gone", null);
        }
        past("gone", " AND NOT EXISTS (SELECT 1 FROM skein_session f WHERE f.parent = skein_session.session)")
                .forEach(this::sweep);
    }

    private boolean end(UUID session, String from, String to, @Nullable Long at) {
        return database.transaction("delete a session", link -> {
            var ended = link.update(
                            "UPDATE skein_session SET life = ?, purged_at = ? WHERE session = ? AND life = ?",
                            to,
                            at,
                            session,
                            from)
                    > 0;
            link.update(
                    "UPDATE skein_head SET life = ?, minute = NULL, token = token + 1, holder = NULL, expires = NULL"
                            + " WHERE session = ? AND life = ?",
                    to,
                    session,
                    from);
            return ended;
        });
    }

    /// Removes the rows of a deleted session that nobody reads, and then of those that only it read.
    private void sweep(UUID session) {
        var next = Optional.of(session);
        while (next.isPresent()) {
            next = sweepOne(next.get());
        }
    }

    /// Returns the deleted parent, if this was its last fork.
    private Optional<UUID> sweepOne(UUID session) {
        var forks = forks(session);
        var kept = forks.stream().mapToLong(Long::longValue).max().orElse(0);
        while (deleteEvents(session, kept) == ROWS_MAX) {
            // Until the last batch is not full.
        }
        if (!forks.isEmpty()) {
            return Optional.empty();
        }
        while (database.transaction("sweep", link -> database.dialect().unindex(link, session, ROWS_MAX)) == ROWS_MAX) {
            // Until the last batch is not full.
        }
        return database.transaction("sweep", link -> {
            var parent = link.first(
                    "SELECT p.session FROM skein_session s JOIN skein_session p ON p.session = s.parent"
                            + " WHERE s.session = ? AND p.life = 'gone'",
                    row -> link.uuid(row, 1),
                    session);
            link.update("DELETE FROM skein_state WHERE session = ?", session);
            link.update("DELETE FROM skein_head WHERE session = ? AND life = 'gone'", session);
            link.update("DELETE FROM skein_session WHERE session = ? AND life = 'gone'", session);
            return parent;
        });
    }

    private int deleteEvents(UUID session, long kept) {
        return database.write(
                "sweep",
                link -> link.update(
                        "DELETE FROM skein_event WHERE session = ? AND seq IN (SELECT seq FROM skein_event"
                                + " WHERE session = ? AND seq > ? ORDER BY seq DESC LIMIT ?)",
                        session,
                        session,
                        kept,
                        ROWS_MAX));
    }

    /// Where the forks of a session leave it.
    private List<Long> forks(UUID session) {
        return database.read(
                "look for forks",
                link -> link.query("SELECT base FROM skein_session WHERE parent = ?", row -> row.getLong(1), session));
    }

    private List<UUID> past(String life, String where, @Nullable Object... values) {
        var all = new Object[values.length + 2];
        all[0] = life;
        System.arraycopy(values, 0, all, 1, values.length);
        all[values.length + 1] = SESSIONS_MAX;
        return database.read(
                "look for what was deleted",
                link -> link.query(
                        "SELECT session FROM skein_session WHERE life = ?" + where + " LIMIT ?",
                        row -> link.uuid(row, 1),
                        all));
    }
}

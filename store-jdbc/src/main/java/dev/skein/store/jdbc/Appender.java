package dev.skein.store.jdbc;

import dev.skein.failure.Concurrent;
import dev.skein.failure.SessionLocked;
import dev.skein.failure.SessionNotFound;
import dev.skein.failure.StorageFailed;
import dev.skein.session.Entry;
import dev.skein.store.Appended;
import dev.skein.store.Batch;
import dev.skein.store.jdbc.sql.Database;
import dev.skein.store.jdbc.sql.Dialect;
import dev.skein.store.jdbc.sql.SqlText;
import dev.skein.store.query.Retry;
import java.util.List;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/// Appends to sessions, in one round trip if nothing is in the way; what was in the way is found out afterwards.
/// Safe for use by many threads, each of which is through the turnstile of its session.
final class Appender {

    private static final int TRIES_MAX = 3;

    private final Database database;
    private final Heads heads;
    private final ObjLongConsumer<LiveSession> changed;

    /// `changed` hears of every append, and which version it led to.
    Appender(Database database, Heads heads, ObjLongConsumer<LiveSession> changed) {
        this.database = database;
        this.heads = heads;
        this.changed = changed;
    }

    /// Appends in the turn that has this token, or without one if nobody has a lease.
    ///
    /// @return empty if there must be no lease and somebody has one
    @Nullable
    Appended append(LiveSession session, Batch batch, @Nullable Long token) {
        var key = SqlText.escapeAny(batch.key());
        var append = new Dialect.Append(
                session.session(),
                batch.expectedVersion(),
                token,
                key,
                Bodies.newest(batch.events()),
                Bodies.of(batch.events()));
        for (int tries = 1; ; tries++) {
            if (happens(session, append)) {
                var first = batch.expectedVersion() + 1;
                var last = batch.expectedVersion() + batch.events().size();
                session.advance(first, batch.events(), batch.key());
                changed.accept(session, last);
                return new Appended(first, last, false);
            }
            var head = heads.find(session.session()).orElseThrow(() -> SessionNotFound.deleted(session.id()));
            var before = key == null ? List.<Entry>of() : appendWith(session, key);
            if (!before.isEmpty()) {
                return Retry.settle(session.id(), batch, before);
            }
            if (token != null && token != head.token()) {
                throw SessionLocked.lost(session.id());
            }
            if (token == null && head.held()) {
                return null;
            }
            if (head.version() != batch.expectedVersion() || tries == TRIES_MAX) {
                throw new Concurrent(session.id(), batch.expectedVersion(), head.version());
            }
        }
    }

    private boolean happens(LiveSession session, Dialect.Append append) {
        try {
            return database.append("append to session " + session.id(), append);
        } catch (StorageFailed e) {
            session.forget();
            throw e;
        }
    }

    /// The entries of the append with this key, if there was one in the session's own part.
    private List<Entry> appendWith(LiveSession session, String key) {
        var place = database.read(
                "look for a key",
                link -> link.first(
                        "SELECT seq, size FROM skein_event WHERE session = ? AND key = ?",
                        row -> new long[] {row.getLong(1), Math.max(1, row.getLong(2))},
                        session.session(),
                        key));
        return place.map(found -> session.history().range(found[0], found[0] + found[1] - 1))
                .orElse(List.of());
    }
}

package dev.skein.store.jdbc;

import dev.skein.failure.SessionNotFound;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import dev.skein.store.jdbc.sql.Database;
import dev.skein.store.jdbc.sql.SqlText;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// What the database says about sessions right now. Safe for use by many threads.
final class Heads {

    private final Database database;

    Heads(Database database) {
        this.database = database;
    }

    /// A session that is neither deleted nor in the trash.
    record Head(
            long version,
            long token,
            boolean held,
            @Nullable SessionAlias alias) {}

    Optional<Head> find(UUID session) {
        return database.read(
                "look at a session",
                link -> link.first(
                        "SELECT h.version, h.token, CASE WHEN h.holder IS NOT NULL AND h.expires > "
                                + database.dialect().now() + " THEN 1 ELSE 0 END, s.alias"
                                + " FROM skein_head h JOIN skein_session s ON s.session = h.session"
                                + " WHERE h.session = ? AND h.life = 'live'",
                        row -> new Head(row.getLong(1), row.getLong(2), row.getInt(3) == 1, alias(row.getString(4))),
                        session));
    }

    /// @throws SessionNotFound if it was deleted
    Head require(UUID session, SessionId id) {
        return find(session).orElseThrow(() -> SessionNotFound.deleted(id));
    }

    /// What changes about a session while others use it.
    ///
    /// @param stops how often somebody asked for the end of what runs
    record Pulse(long version, long stops) {}

    /// How often somebody asked for the end of what runs.
    long stops(UUID session, SessionId id) {
        return database.read(
                        "look at a session",
                        link -> link.first(
                                "SELECT stops FROM skein_head WHERE session = ? AND life = 'live'",
                                row -> row.getLong(1),
                                session))
                .orElseThrow(() -> SessionNotFound.deleted(id));
    }

    /// Somebody asks for the end of what runs.
    Stop stop(UUID session, SessionId id) {
        var held = "CASE WHEN holder IS NOT NULL AND expires > "
                + database.dialect().now() + " THEN holder END";
        return database.write(
                        "stop what runs",
                        link -> link.first(
                                "UPDATE skein_head SET stops = stops + 1 WHERE session = ? AND life = 'live'"
                                        + " RETURNING stops, " + held,
                                row -> new Stop(row.getLong(1), row.getString(2)),
                                session))
                .orElseThrow(() -> SessionNotFound.deleted(id));
    }

    /// How often that was asked for now, and which program has the turn.
    record Stop(long stops, @Nullable String holder) {}

    /// Of those that are still there.
    Map<UUID, Pulse> pulses(Collection<UUID> sessions) {
        if (sessions.isEmpty()) {
            return Map.of();
        }
        var marks = String.join(", ", Collections.nCopies(sessions.size(), "?"));
        var found = new HashMap<UUID, Pulse>();
        database.read(
                "look at sessions",
                link -> link.query(
                        "SELECT session, version, stops FROM skein_head WHERE life = 'live' AND session IN (" + marks
                                + ")",
                        row -> found.put(link.uuid(row, 1), new Pulse(row.getLong(2), row.getLong(3))),
                        sessions.toArray()));
        return found;
    }

    static @Nullable SessionAlias alias(@Nullable String text) {
        return text == null ? null : new SessionAlias(SqlText.unescape(text));
    }
}

package dev.skein.store.jdbc;

import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import dev.skein.session.SessionState;
import dev.skein.store.ListQuery;
import dev.skein.store.PurgeQuery;
import dev.skein.store.SessionPage;
import dev.skein.store.SessionSummary;
import dev.skein.store.jdbc.sql.Database;
import dev.skein.store.jdbc.sql.Dialect;
import dev.skein.store.jdbc.sql.SqlText;
import dev.skein.store.query.Cursor;
import dev.skein.store.query.Listing;
import dev.skein.store.query.PurgeSelection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Lists sessions from their heads and states, newest first. What a state does not know yet is read from the few
/// events behind it. Safe for use by many threads.
final class Catalog {

    private static final int PAGE_MAX = 500;

    private final Database database;
    private final LiveSessions sessions;

    Catalog(Database database, LiveSessions sessions) {
        this.database = database;
        this.sessions = sessions;
    }

    /// A session as the tables have it. `restored` is when it last came back from the trash, 0 if it never was there.
    record Listed(
            UUID session,
            SessionId id,
            Scope scope,
            @Nullable SessionAlias alias,
            long version,
            long activity,
            long restored,
            @Nullable SessionState stored) {}

    /// A listed session with what there is to say about it.
    record Known(Listed listed, SessionState state, SessionSummary summary) {}

    SessionPage page(ListQuery query) {
        var wanted = Listing.wanted(query);
        var place = query.cursor() == null ? null : Place.of(Cursor.parse(query.cursor()));
        var found = new ArrayList<SessionSummary>();
        var filtered = query.alias() != null || query.text() != null;
        while (found.size() <= query.limit()) {
            var count = filtered ? PAGE_MAX : Math.min(PAGE_MAX, query.limit() + 1 - found.size());
            var rows = rows(query.owner(), query.agents(), place, count);
            rows.stream().map(this::known).map(Known::summary).filter(wanted).forEach(found::add);
            if (rows.size() < count) {
                return cut(found, query.limit());
            }
            place = Place.of(rows.getLast());
        }
        return cut(found, query.limit());
    }

    /// Every session of a scope, newest first.
    List<Known> all(Scope scope) {
        var query = ListQuery.of(scope);
        var all = new ArrayList<Known>();
        Place place = null;
        while (true) {
            var rows = rows(scope.owner(), query.agents(), place, PAGE_MAX);
            rows.stream().map(this::known).forEach(all::add);
            if (rows.size() < PAGE_MAX) {
                return all;
            }
            place = Place.of(rows.getLast());
        }
    }

    /// The owner after this one, as the tables call it, or null if it is the last.
    @Nullable
    String nextOwner(String owner) {
        return database.read(
                        "list owners",
                        link -> link.query(
                                "SELECT min(owner) FROM skein_head WHERE minute IS NOT NULL AND owner > ?",
                                row -> Optional.ofNullable(row.getString(1)),
                                owner))
                .getFirst()
                .orElse(null);
    }

    /// Sessions of an owner that nobody used since `before`, oldest first, beyond one of them.
    ///
    /// @param owner as the tables call it
    List<Listed> idle(String owner, PurgeQuery.Which which, Instant before, @Nullable Listed after, int limit) {
        var channel = which == PurgeQuery.Which.CHANNELS_ONLY
                ? " AND EXISTS (SELECT 1 FROM skein_event e WHERE e.session = h.session AND e.seq = s.base + 1"
                        + " AND e.body -> 'metadata' ->> '" + PurgeSelection.CHANNEL + "' IS NOT NULL)"
                : "";
        var from = after == null ? Long.MIN_VALUE : after.activity();
        var beyond = after == null ? new UUID(0, 0) : after.session();
        return database.read(
                "look for idle sessions",
                link -> link.query(
                        "SELECT h.session, h.id, h.agent, s.alias, h.version, h.activity, s.purged_at FROM skein_head h"
                                + " JOIN skein_session s ON s.session = h.session"
                                + " WHERE h.owner = ? AND h.minute IS NOT NULL AND h.minute <= ? AND h.minute >= ?"
                                + " AND h.activity < ? AND h.activity >= ?"
                                + " AND (h.activity > ? OR h.session > ?)" + channel
                                + " ORDER BY h.minute, h.activity, h.session LIMIT ?",
                        row -> new Listed(
                                link.uuid(row, 1),
                                new SessionId(link.uuid(row, 2)),
                                Names.scope(SqlText.unescape(owner), row.getString(3)),
                                Heads.alias(row.getString(4)),
                                row.getLong(5),
                                row.getLong(6),
                                row.getLong(7),
                                null),
                        owner,
                        Dialect.minute(Bodies.nanos(before)),
                        Dialect.minute(from),
                        Bodies.nanos(before),
                        from,
                        from,
                        beyond,
                        limit));
    }

    Optional<SessionId> last(Scope scope) {
        var rows = rows(scope.owner(), ListQuery.of(scope).agents(), null, 1);
        return rows.stream().map(Listed::id).findFirst();
    }

    private static SessionPage cut(List<SessionSummary> found, int limit) {
        if (found.size() <= limit) {
            return new SessionPage(found, null, List.of());
        }
        var page = found.subList(0, limit);
        return new SessionPage(page, Cursor.of(page.getLast()).text(), List.of());
    }

    /// Everything up to and including this one has been shown.
    private record Place(long activity, UUID id) {

        static Place of(Listed row) {
            return new Place(row.activity(), row.id().uuid());
        }

        static Place of(Cursor cursor) {
            var id = SessionId.parse(cursor.name()).map(SessionId::uuid).orElse(new UUID(-1, -1));
            return new Place(Bodies.nanos(cursor.at()), id);
        }
    }

    private List<Listed> rows(String owner, ListQuery.Agents agents, @Nullable Place after, int limit) {
        var values = new ArrayList<Object>(List.of(SqlText.escape(owner)));
        var where = new StringBuilder();
        switch (agents) {
            case ListQuery.Agents.Any _ -> {}
            case ListQuery.Agents.None _ -> where.append(" AND h.agent = ''");
            case ListQuery.Agents.Named(var agent) -> {
                where.append(" AND h.agent = ?");
                values.add(SqlText.escape(agent));
            }
        }
        if (after != null) {
            where.append(" AND h.minute <= ? AND h.activity <= ? AND (h.activity < ? OR h.id > ?)");
            values.addAll(List.of(Dialect.minute(after.activity()), after.activity(), after.activity(), after.id()));
        }
        values.add(limit);
        return database.read(
                "list sessions",
                link -> link.query(
                        // The page first, so that nothing else is looked up for those who are not on it.
                        "SELECT h.session, h.id, h.agent, s.alias, h.version, h.activity, s.purged_at, t.body"
                                + " FROM (SELECT * FROM skein_head h WHERE h.owner = ? AND h.minute IS NOT NULL" + where
                                + " ORDER BY h.minute DESC, h.activity DESC, h.id LIMIT ?) h"
                                + " JOIN skein_session s ON s.session = h.session"
                                + " LEFT JOIN skein_state t ON t.session = h.session AND t.version ="
                                + " (SELECT max(version) FROM skein_state n WHERE n.session = h.session)"
                                + " ORDER BY h.minute DESC, h.activity DESC, h.id",
                        row -> new Listed(
                                link.uuid(row, 1),
                                new SessionId(link.uuid(row, 2)),
                                Names.scope(owner, row.getString(3)),
                                Heads.alias(row.getString(4)),
                                row.getLong(5),
                                row.getLong(6),
                                row.getLong(7),
                                Checkpoints.parse(row.getBytes(8)).orElse(null)),
                        values.toArray()));
    }

    /// When a session was active or restored, whichever was later.
    static Instant usedAt(SessionSummary summary, @Nullable Known known) {
        var active = summary.lastActivityAt();
        var restored = known == null ? 0 : known.listed().restored();
        return restored > Bodies.nanos(active) ? Bodies.instant(restored) : active;
    }

    /// With its state, which is read if it was not.
    Known known(Listed row) {
        var stored = row.stored();
        var state = stored != null && stored.version() == row.version()
                ? stored
                : sessions.get(row.session(), row.scope(), row.id()).catchUp(row.version());
        var named = state.named(row.alias(), state.autoname());
        return new Known(row, named, SessionSummary.of(named));
    }
}

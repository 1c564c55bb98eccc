package dev.skein.store.jdbc;

import dev.skein.session.Scope;
import dev.skein.session.SessionId;
import dev.skein.store.ListQuery;
import dev.skein.store.SearchHit;
import dev.skein.store.SearchQuery;
import dev.skein.store.jdbc.History.Segment;
import dev.skein.store.jdbc.sql.Database;
import dev.skein.store.jdbc.sql.Dialect;
import dev.skein.store.jdbc.sql.Grams;
import dev.skein.store.jdbc.sql.SqlText;
import dev.skein.store.query.MessageSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Finds messages. An index, written when sessions rest, tells where a text may be; whether it is there is looked
/// up. What is not in the index yet is read. Safe for use by many threads.
final class SearchIndex {

    private static final int CHUNK_EVENTS = 512;
    private static final int CHUNK_CHARS = 64 * 1024;
    private static final int PAGE = 100;

    private final Database database;
    private final LiveSessions sessions;

    SearchIndex(Database database, LiveSessions sessions) {
        this.database = database;
        this.sessions = sessions;
    }

    /// Where in a session the index may lead.
    private record Range(long first, long last) {}

    /// A session that may have the text.
    private record Candidate(
            UUID session,
            SessionId id,
            Scope scope,
            @Nullable String alias,
            long version,
            long activity) {}

    void search(SearchQuery query, Consumer<SearchHit> hits) {
        var search = new MessageSearch(query.text());
        var indexed = !Grams.of(query.text()).isEmpty();
        var left = query.limit();
        Candidate last = null;
        List<Candidate> page;
        do {
            page = candidates(query, indexed, last);
            for (var candidate : page) {
                left -= search(candidate, query, search, indexed, left, hits);
                if (left == 0) {
                    return;
                }
            }
            last = page.isEmpty() ? null : page.getLast();
        } while (page.size() == PAGE);
    }

    /// Brings the index up to date with a session.
    void catchUp(LiveSession session, long version) {
        while (true) {
            var own = session.history().segments().getLast();
            var indexed = indexed(own.session());
            var first = Math.max(indexed + 1, own.first());
            if (first > version || indexed < 0) {
                return;
            }
            if (!addChunk(session, first, version)) {
                return;
            }
        }
    }

    private boolean addChunk(LiveSession session, long first, long version) {
        var grams = new Grams();
        var last = first - 1;
        var limit = Math.min(version, first + CHUNK_EVENTS - 1);
        for (var entry : session.history().range(first, limit)) {
            if (grams.length() >= CHUNK_CHARS) {
                break;
            }
            MessageSearch.textOf(entry).ifPresent(grams::add);
            last = entry.seq();
        }
        var end = last;
        return database.transaction("index session " + session.id(), link -> {
            // The head last, and without waiting for the disk: appends need it.
            if (!grams.isEmpty()) {
                database.dialect().index(link, session.session(), Names.owner(session.scope()), first, end, grams);
            }
            return link.update(
                            "UPDATE skein_head SET indexed = ?"
                                    + database.dialect().relaxed() + " WHERE session = ? AND indexed < ?",
                            end,
                            session.session(),
                            first)
                    > 0;
        });
    }

    /// Up to where a session is in the index, or -1 if there is no such session.
    private long indexed(UUID session) {
        return database.read(
                "look at the index",
                link -> link.first("SELECT indexed FROM skein_head WHERE session = ?", row -> row.getLong(1), session)
                        .orElse(-1L));
    }

    private int search(
            Candidate candidate,
            SearchQuery query,
            MessageSearch search,
            boolean indexed,
            int limit,
            Consumer<SearchHit> hits) {
        var place = new MessageSearch.Place(
                candidate.id(), candidate.alias(), candidate.scope().agent());
        var session = sessions.get(candidate.session(), candidate.scope(), candidate.id());
        var count = 0;
        for (var segment : session.history().segments()) {
            var last = Math.min(segment.last(), candidate.version());
            for (var range : indexed ? ranges(segment, query, last) : List.of(new Range(segment.first(), last))) {
                for (var entry : session.history().range(range.first(), range.last())) {
                    var hit = search.find(place, entry);
                    if (hit.isPresent()) {
                        hits.accept(hit.get());
                        count++;
                    }
                    if (count == limit) {
                        return count;
                    }
                }
            }
        }
        return count;
    }

    private List<Range> ranges(Segment segment, SearchQuery query, long last) {
        var matching = database.dialect().matching(SqlText.escape(query.owner()), query.text());
        var values = new ArrayList<>(matching.values());
        values.add(segment.session());
        var ranges = new ArrayList<Range>();
        var found = database.read(
                "search a session",
                link -> link.query(
                        "SELECT first, last FROM (" + matching.sql() + ") m WHERE session = ? ORDER BY first",
                        row -> new Range(row.getLong(1), row.getLong(2)),
                        values.toArray()));
        // Two machines that index the same session at the same time may leave chunks that overlap.
        var next = segment.first();
        for (var range : found) {
            var first = Math.max(next, range.first());
            if (first <= Math.min(range.last(), last)) {
                ranges.add(new Range(first, Math.min(range.last(), last)));
                next = range.last() + 1;
            }
        }
        next = Math.max(next, indexed(segment.session()) + 1);
        for (; next <= last; next += CHUNK_EVENTS) {
            ranges.add(new Range(next, Math.min(last, next + CHUNK_EVENTS - 1)));
        }
        return ranges;
    }

    private List<Candidate> candidates(SearchQuery query, boolean indexed, @Nullable Candidate after) {
        var owner = SqlText.escape(query.owner());
        var values = new ArrayList<Object>();
        var with = "";
        var where = new StringBuilder();
        if (indexed) {
            var matching = database.dialect().matching(owner, query.text());
            with = "WITH RECURSIVE known(session) AS (SELECT session FROM (" + matching.sql() + ") m"
                    + " UNION SELECT session FROM skein_head WHERE owner = ? AND minute IS NOT NULL"
                    + " AND indexed < version),"
                    + " hit(session) AS (SELECT session FROM known"
                    + " UNION SELECT f.session FROM skein_session f JOIN hit ON f.parent = hit.session) ";
            values.addAll(matching.values());
            values.add(owner);
            where.append(" AND h.session IN (SELECT session FROM hit)");
        }
        values.add(owner);
        switch (query.agents()) {
            case ListQuery.Agents.Any _ -> {}
            case ListQuery.Agents.None _ -> where.append(" AND h.agent = ''");
            case ListQuery.Agents.Named(var agent) -> {
                where.append(" AND h.agent = ?");
                values.add(SqlText.escape(agent));
            }
        }
        if (after != null) {
            where.append(" AND h.minute <= ? AND h.activity <= ? AND (h.activity < ? OR h.id > ?)");
            values.add(Dialect.minute(after.activity()));
            values.addAll(List.of(after.activity(), after.activity(), after.id().uuid()));
        }
        values.add(PAGE);
        var sql = with + "SELECT h.session, h.id, h.agent, s.alias, h.version, h.activity FROM skein_head h"
                + " JOIN skein_session s ON s.session = h.session WHERE h.owner = ? AND h.minute IS NOT NULL" + where
                + " ORDER BY h.minute DESC, h.activity DESC, h.id LIMIT ?";
        return database.read(
                "search sessions",
                link -> link.query(
                        sql,
                        row -> new Candidate(
                                link.uuid(row, 1),
                                new SessionId(link.uuid(row, 2)),
                                Names.scope(query.owner(), row.getString(3)),
                                SqlText.unescapeAny(row.getString(4)),
                                row.getLong(5),
                                row.getLong(6)),
                        values.toArray()));
    }
}

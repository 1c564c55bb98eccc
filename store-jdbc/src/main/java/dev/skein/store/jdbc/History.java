package dev.skein.store.jdbc;

import dev.skein.session.Entry;
import dev.skein.store.jdbc.sql.Database;
import dev.skein.store.jdbc.sql.SqlText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/// All that a session can read: its own events, and what it shares with the sessions it was forked from. Fixed for
/// a session's life, because a fork never moves. Safe for use by many threads.
final class History {

    /// Events that are fetched at once.
    private static final int PAGE = 500;

    private static final String CHAIN = """
            WITH RECURSIVE chain(session, parent, base, depth) AS (
              SELECT session, parent, base, 0 FROM skein_session WHERE session = ?
              UNION ALL
              SELECT s.session, s.parent, s.base, chain.depth + 1
              FROM skein_session s JOIN chain ON s.session = chain.parent WHERE chain.depth < 1000)
            SELECT session, base FROM chain ORDER BY depth""";

    private final Database database;
    private final List<Segment> segments;

    private History(Database database, List<Segment> segments) {
        this.database = database;
        this.segments = segments;
    }

    /// The part of one session's events that belongs to this history: `first` to `last`.
    record Segment(UUID session, long first, long last) {}

    private record Step(UUID session, long base) {}

    static History of(Database database, UUID session) {
        var chain = database.read(
                "read the forks of a session",
                link -> link.query(CHAIN, row -> new Step(link.uuid(row, 1), row.getLong(2)), session));
        var segments = new ArrayList<Segment>();
        var last = Long.MAX_VALUE;
        for (var each : chain) {
            segments.add(new Segment(each.session(), each.base() + 1, last));
            last = Math.min(last, each.base());
        }
        return new History(database, List.copyOf(segments.reversed()));
    }

    /// The oldest first.
    List<Segment> segments() {
        return segments;
    }

    /// Hands over the events from `from` to `to`, which must be there.
    void read(long from, long to, Consumer<Entry> each) {
        for (long first = from; first <= to; first += PAGE) {
            range(first, Math.min(to, first + PAGE - 1)).forEach(each);
        }
    }

    /// As [#read], the events of one append together.
    void readAppends(long from, long to, Consumer<List<Entry>> each) {
        var append = new ArrayList<Entry>();
        for (long first = from; first <= to; first += PAGE) {
            var last = Math.min(to, first + PAGE - 1);
            var begins = begins(first, last);
            for (var entry : range(first, last)) {
                if (begins.contains(entry.seq()) && !append.isEmpty()) {
                    each.accept(List.copyOf(append));
                    append.clear();
                }
                append.add(entry);
            }
        }
        if (!append.isEmpty()) {
            each.accept(List.copyOf(append));
        }
    }

    /// Where appends begin.
    private Set<Long> begins(long from, long to) {
        var begins = new HashSet<Long>();
        for (var segment : segments) {
            begins.addAll(database.read(
                    "read the events of a session",
                    link -> link.query(
                            "SELECT seq FROM skein_event WHERE session = ? AND seq BETWEEN ? AND ?"
                                    + " AND size IS NOT NULL",
                            row -> row.getLong(1),
                            segment.session(),
                            Math.max(from, segment.first()),
                            Math.min(to, segment.last()))));
        }
        return begins;
    }

    /// The events from `from` to `to`; those that are missing as gaps.
    List<Entry> range(long from, long to) {
        var entries = new ArrayList<Entry>();
        for (var segment : segments) {
            var first = Math.max(from, segment.first());
            var last = Math.min(to, segment.last());
            if (first <= last) {
                entries.addAll(rows(segment.session(), first, last));
            }
        }
        return entries;
    }

    private List<Entry> rows(UUID session, long first, long last) {
        var found = database.read(
                "read the events of a session",
                link -> link.query(
                        "SELECT seq, key, body FROM skein_event WHERE session = ? AND seq BETWEEN ? AND ? ORDER BY seq",
                        row -> Bodies.entry(row.getLong(1), row.getBytes(3), SqlText.unescapeAny(row.getString(2))),
                        session,
                        first,
                        last));
        return found.size() == last - first + 1 ? found : filled(found, first, last);
    }

    private static List<Entry> filled(List<Entry> found, long first, long last) {
        var all = new ArrayList<Entry>();
        var next = first;
        for (var entry : found) {
            while (next < entry.seq()) {
                all.add(Bodies.gap(next++));
            }
            all.add(entry);
            next++;
        }
        while (next <= last) {
            all.add(Bodies.gap(next++));
        }
        return all;
    }
}

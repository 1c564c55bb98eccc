package dev.skein.server.session;

import dev.skein.engine.Approvals;
import dev.skein.failure.StorageFailed;
import dev.skein.message.Cost;
import dev.skein.message.Message;
import dev.skein.message.Usage;
import dev.skein.server.http.Exchange;
import dev.skein.server.http.HttpFailure;
import dev.skein.server.setup.Backend;
import dev.skein.server.stream.Streams;
import dev.skein.session.LoopId;
import dev.skein.session.LoopList;
import dev.skein.session.SessionId;
import dev.skein.store.ListQuery;
import dev.skein.store.SearchHit;
import dev.skein.store.SearchQuery;
import dev.skein.store.SessionSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Shows sessions, and what is in them.
public record SessionReads(Backend backend, Sessions sessions, Streams streams, Outlines outlines) {

    private static final int PAGE = 50;
    private static final int PAGE_MAX = 1_000;
    private static final int TEXT_MAX = 1_000;

    private record Listing(
            List<SessionSummary> sessions, @Nullable String nextCursor) {}

    private record Hits(List<SearchHit> hits) {}

    private record Messages(
            SessionId session,
            List<Message> messages,
            @Nullable String nextCursor) {}

    private record Loops(
            SessionId session,
            List<LoopList.Item> loops,
            @Nullable String nextCursor) {}

    private record Spent(
            SessionId session, Usage usage, Cost cost, long loopCount, long turnCount, long messageCount) {}

    private record Waiting(List<Approvals.Waiting> approvals) {}

    public void list(Exchange exchange) {
        var owner = Sessions.listedOwner(exchange);
        var agent = exchange.query("agent");
        var query = ListQuery.ofOwner(owner)
                .withAlias(shortText(exchange, "alias"))
                .withText(shortText(exchange, "text"))
                .withLimit(limit(exchange))
                .after(shortText(exchange, "cursor"));
        var named = agent.isEmpty()
                ? query
                : new ListQuery(
                        owner,
                        new ListQuery.Agents.Named(agent.get()),
                        query.alias(),
                        query.text(),
                        query.limit(),
                        query.cursor());
        var page = backend.store().list(named);
        exchange.answer(200, new Listing(page.sessions(), page.nextCursor()));
    }

    public void search(Exchange exchange) {
        var owner = Sessions.listedOwner(exchange);
        var text = exchange.query("q").orElseThrow(() -> HttpFailure.invalid("'q' in the query is missing"));
        if (text.length() > TEXT_MAX) {
            throw HttpFailure.invalid("'q' in the query has more than " + TEXT_MAX + " characters; shorten it");
        }
        var hits = new ArrayList<SearchHit>();
        backend.store().search(SearchQuery.of(owner, text).withLimit(limit(exchange)), hits::add);
        exchange.answer(200, new Hits(hits));
    }

    public void show(Exchange exchange) {
        try (var session = sessions.openReadable(exchange)) {
            exchange.answer(200, SessionSummary.of(session.state()));
        }
    }

    /// What was said on the path to the head, or to the loop in the query, oldest first.
    public void messages(Exchange exchange) {
        var limit = limit(exchange);
        var from = exchange.queryNumber("cursor", 0, Integer.MAX_VALUE);
        try (var session = sessions.openReadable(exchange)) {
            var loop = exchange.query("loop").filter(text -> !text.isBlank()).map(LoopId::new);
            var page = outlines.of(session).messages(session, loop, from, limit);
            exchange.answer(200, new Messages(session.id(), page.items(), next(page.more(), from, limit)));
        }
    }

    public void loops(Exchange exchange) {
        var limit = limit(exchange);
        var from = exchange.queryNumber("cursor", 0, Integer.MAX_VALUE);
        try (var session = sessions.openReadable(exchange)) {
            var page = outlines.of(session).loops(session, from, limit);
            exchange.answer(200, new Loops(session.id(), page.items(), next(page.more(), from, limit)));
        }
    }

    public void tree(Exchange exchange) {
        try (var session = sessions.openReadable(exchange)) {
            exchange.answer(200, outlines.of(session).all(session));
        }
    }

    public void usage(Exchange exchange) {
        try (var session = sessions.openReadable(exchange)) {
            var state = session.state();
            var totals = state.totals();
            exchange.answer(
                    200,
                    new Spent(
                            session.id(),
                            state.usage(),
                            state.cost(),
                            totals.loops(),
                            totals.turns(),
                            totals.messages()));
        }
    }

    public void export(Exchange exchange) {
        var name = exchange.query("format").orElse("json");
        var format = backend.exports()
                .format(name)
                .orElseThrow(() -> HttpFailure.invalid("'format' in the query must be one of "
                        + backend.exports().names()));
        try (var session = sessions.openReadable(exchange);
                var out = exchange.stream(format.mediaType())) {
            format.write(session, out);
        } catch (IOException e) {
            throw StorageFailed.io("write the export", e);
        }
    }

    public void approvals(Exchange exchange) {
        try (var session = sessions.openReadable(exchange)) {
            exchange.answer(200, new Waiting(Approvals.waiting(session)));
        }
    }

    public void events(Exchange exchange) {
        try (var session = sessions.openReadable(exchange)) {
            streams.tail(exchange, session);
        }
    }

    private static int limit(Exchange exchange) {
        return Math.max(1, exchange.queryNumber("limit", PAGE, PAGE_MAX));
    }

    private static @Nullable String shortText(Exchange exchange, String name) {
        var text = exchange.query(name).orElse(null);
        if (text != null && text.length() > TEXT_MAX) {
            throw HttpFailure.invalid(
                    "'" + name + "' in the query has more than " + TEXT_MAX + " characters; shorten it");
        }
        return text;
    }

    private static @Nullable String next(boolean more, int from, int limit) {
        return more ? Integer.toString(from + limit) : null;
    }
}

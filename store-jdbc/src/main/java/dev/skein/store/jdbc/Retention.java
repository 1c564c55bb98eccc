package dev.skein.store.jdbc;

import dev.skein.store.PurgeQuery;
import dev.skein.store.PurgeQuery.Which;
import dev.skein.store.SessionSummary;
import dev.skein.store.query.PurgeSelection;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Moves sessions whose term is over to the trash, by itself, one owner and one page at a time. Any number of programs
/// may do so at once; each session is moved by one of them.
final class Retention {

    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
    private static final int PAGE = 200;

    private final Catalog catalog;
    private final Clock clock;
    private final Predicate<Catalog.Known> trash;

    /// `trash` moves a session, unless somebody uses it.
    Retention(Catalog catalog, Clock clock, Predicate<Catalog.Known> trash) {
        this.catalog = catalog;
        this.clock = clock;
        this.trash = trash;
    }

    void run(JdbcOptions.Terms terms) {
        for (var owner = catalog.nextOwner(""); owner != null; owner = catalog.nextOwner(owner)) {
            apply(owner, Which.CHANNELS_ONLY, terms.channelIdleMax());
            apply(owner, Which.EVERY, terms.idleMax());
        }
    }

    private void apply(String owner, Which which, @Nullable Duration idleMax) {
        if (idleMax == null) {
            return;
        }
        var before = clock.instant().minus(idleMax);
        var page = catalog.idle(owner, which, before, null, PAGE);
        while (!page.isEmpty()) {
            select(page, which, idleMax);
            page = page.size() < PAGE ? List.of() : catalog.idle(owner, which, before, page.getLast(), PAGE);
        }
    }

    private void select(List<Catalog.Listed> page, Which which, Duration idleMax) {
        page.stream()
                .collect(Collectors.groupingBy(Catalog.Listed::scope))
                .forEach((scope, some) -> purge(some, new PurgeQuery(scope, null, idleMax, which)));
    }

    private void purge(List<Catalog.Listed> page, PurgeQuery query) {
        var known = new LinkedHashMap<SessionSummary, Catalog.Known>();
        page.stream().map(catalog::known).forEach(each -> known.put(each.summary(), each));
        for (var summary : PurgeSelection.select(
                known.keySet(), query, clock.instant(), _ -> true, each -> Catalog.usedAt(each, known.get(each)))) {
            var each = known.get(summary);
            if (each != null && trash.test(each)) {
                LOG.info(
                        "session {} ({}) was moved to the trash; `skein session restore {}` brings it back",
                        summary.id(),
                        summary.alias(),
                        summary.id());
            }
        }
    }
}

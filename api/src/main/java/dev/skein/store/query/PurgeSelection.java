package dev.skein.store.query;

import dev.skein.session.OwnNames;
import dev.skein.session.Scope;
import dev.skein.session.SessionStatus;
import dev.skein.store.PurgeQuery;
import dev.skein.store.SessionSummary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/// Chooses the sessions that have to go.
public final class PurgeSelection {

    /// The metadata of a session that belongs to a chat channel has this entry.
    public static final String CHANNEL = OwnNames.CHANNEL;

    private PurgeSelection() {}

    /// The sessions that the query means, oldest first. Running ones count among those to keep but are never chosen,
    /// nor are those that were not migrated yet.
    public static List<SessionSummary> select(
            Collection<SessionSummary> all, PurgeQuery query, Instant now, Predicate<SessionSummary> isChannel) {
        return select(all, query, now, isChannel, SessionSummary::lastActivityAt);
    }

    /// The same for a store that knows of restorations. `usedAt` is the last activity, or the restoration if that was
    /// later: what a person asked for is not taken away again as old.
    public static List<SessionSummary> select(
            Collection<SessionSummary> all,
            PurgeQuery query,
            Instant now,
            Predicate<SessionSummary> isChannel,
            Function<SessionSummary, Instant> usedAt) {
        var candidates = all.stream()
                .filter(summary -> summary.id() != null && isIn(query.scope(), summary))
                .filter(summary -> switch (query.which()) {
                    case EVERY -> true;
                    case CHANNELS_ONLY -> isChannel.test(summary);
                })
                .sorted(Comparator.comparing(usedAt).reversed().thenComparing(Listing.NEWEST_FIRST))
                .toList();
        var chosen = new ArrayList<SessionSummary>();
        for (int newer = 0; newer < candidates.size(); newer++) {
            var summary = candidates.get(newer);
            var tooMany = query.keep() != null && newer >= query.keep();
            var tooOld = query.idle() != null
                    && usedAt.apply(summary).plus(query.idle()).isBefore(now);
            if (summary.status() != SessionStatus.RUNNING && (tooMany || tooOld)) {
                chosen.add(summary);
            }
        }
        return chosen.reversed();
    }

    private static boolean isIn(Scope scope, SessionSummary summary) {
        return scope.equals(new Scope(summary.owner(), summary.agent()));
    }
}

package dev.skein.store.query;

import dev.skein.session.OwnNames;
import dev.skein.session.Scope;
import dev.skein.session.SessionStatus;
import dev.skein.store.PurgeQuery;
import dev.skein.store.SessionSummary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
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
        var candidates = all.stream()
                .filter(summary -> summary.id() != null && isIn(query.scope(), summary))
                .filter(summary -> switch (query.which()) {
                    case EVERY -> true;
                    case CHANNELS_ONLY -> isChannel.test(summary);
                })
                .sorted(Listing.NEWEST_FIRST)
                .toList();
        var chosen = new ArrayList<SessionSummary>();
        for (int newer = 0; newer < candidates.size(); newer++) {
            var summary = candidates.get(newer);
            var tooMany = query.keep() != null && newer >= query.keep();
            if (summary.status() != SessionStatus.RUNNING && (tooMany || isTooOld(summary, query, now))) {
                chosen.add(summary);
            }
        }
        return chosen.reversed();
    }

    /// Whether the session was idle for strictly longer than the query allows. Ask again just before moving it.
    public static boolean isTooOld(SessionSummary summary, PurgeQuery query, Instant now) {
        return query.idle() != null
                && summary.lastActivityAt().plus(query.idle()).isBefore(now);
    }

    private static boolean isIn(Scope scope, SessionSummary summary) {
        return scope.equals(new Scope(summary.owner(), summary.agent()));
    }
}

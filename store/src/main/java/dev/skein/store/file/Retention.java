package dev.skein.store.file;

import dev.skein.failure.SkeinException;
import dev.skein.session.Scope;
import dev.skein.store.PurgeQuery;
import dev.skein.store.SessionSummary;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Moves sessions that are too old or too many to the trash, once a day and when asked.
///
/// Nothing a person made goes away silently: by default only chat sessions have a term, every deletion is
/// logged with the way back, and the trash is emptied only after a grace time.
public final class Retention {

    private final FileSessionStore store;
    private final Rules rules;

    Retention(FileSessionStore store, Rules rules) {
        this.store = store;
        this.rules = rules;
    }

    /// How long and how many sessions are kept. Null means without limit.
    public record Rules(
            @Nullable Duration channelIdleMax,
            @Nullable Duration idleMax,
            @Nullable Integer sessionsMax,
            Duration every) {

        /// Chat sessions go after 30 days without a word; everything else stays.
        public static Rules standard() {
            return new Rules(Duration.ofDays(30), null, null, Duration.ofDays(1));
        }

        /// Everything stays.
        public static Rules keepAll() {
            return new Rules(null, null, null, Duration.ofDays(1));
        }

        /// At most so many sessions in each scope.
        public Rules withSessionsMax(int max) {
            return new Rules(channelIdleMax, idleMax, max, every);
        }

        public Rules withIdleMax(Duration max) {
            return new Rules(channelIdleMax, max, sessionsMax, every);
        }
    }

    /// Applies the rules to every scope of the store, and empties the trash of what has been there long enough.
    public void run() {
        for (var scope : store.scopes()) {
            try {
                run(scope);
            } catch (SkeinException e) {
                log().warn("the rules were not applied to {}: {}", scope, e.getMessage());
            }
        }
    }

    private void run(Scope scope) {
        if (rules.channelIdleMax() != null) {
            report(store.purge(new PurgeQuery(scope, null, rules.channelIdleMax(), PurgeQuery.Which.CHANNELS_ONLY)));
        }
        if (rules.idleMax() != null || rules.sessionsMax() != null) {
            report(store.purge(new PurgeQuery(scope, rules.sessionsMax(), rules.idleMax(), PurgeQuery.Which.EVERY)));
        }
        store.emptyTrash(scope);
    }

    Rules rules() {
        return rules;
    }

    private static void report(List<SessionSummary> purged) {
        for (var summary : purged) {
            log().info(
                            "session {} ({}) was moved to the trash; `skein session restore {}` brings it back",
                            summary.id(),
                            summary.alias(),
                            summary.id());
        }
    }

    private static Logger log() {
        return LoggerFactory.getLogger(Retention.class);
    }
}

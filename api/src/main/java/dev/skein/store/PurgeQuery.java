package dev.skein.store;

import dev.skein.failure.InvalidRequest;
import dev.skein.session.Scope;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Which sessions of a scope to move to the trash: all but the `keep` newest, and those idle for strictly more
/// than `idle`. A session that is busy is left alone. With `channelsOnly`, only sessions of chat channels.
public record PurgeQuery(
        Scope scope, @Nullable Integer keep, @Nullable Duration idle, Which which) {

    /// Which sessions a rule applies to.
    public enum Which {
        EVERY,
        CHANNELS_ONLY
    }

    public PurgeQuery {
        if (keep == null && idle == null) {
            throw new InvalidRequest("say how many sessions to keep, or how long they may be idle");
        }
        if ((keep != null && keep < 0) || (idle != null && idle.isNegative())) {
            throw new InvalidRequest("a number to keep or an idle time must not be negative");
        }
    }

    public static PurgeQuery keeping(Scope scope, int keep) {
        return new PurgeQuery(scope, keep, null, Which.EVERY);
    }

    public static PurgeQuery idleFor(Scope scope, Duration idle) {
        return new PurgeQuery(scope, null, idle, Which.EVERY);
    }
}

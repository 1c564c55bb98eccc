package dev.skein.engine.schedule;

import dev.skein.engine.Overrides;
import dev.skein.model.ModelName;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A prompt that is said at certain times, and where.
///
/// @param owner whose the session is
/// @param agent who answers, and with whom its sessions live; null for whoever answers there, as with role and
///     model
/// @param makeUp how long after its time a run that was missed is still made up; only the latest ever is
/// @param since when it was written; what was due before was not missed
public record ScheduleSpec(
        String name,
        String owner,
        When when,
        String prompt,
        Place place,
        @Nullable String agent,
        @Nullable String role,
        @Nullable ModelName model,
        Duration makeUp,
        boolean enabled,
        Instant since) {

    /// How a schedule may be called.
    public static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}_][\\p{L}\\p{N}._-]{0,39}");

    public static final Duration MAKE_UP = Duration.ofHours(1);
    public static final Duration MAKE_UP_MAX = Duration.ofDays(7);

    /// Whoever is less late than this is in time.
    public static final Duration IN_TIME = Duration.ofMinutes(1);

    /// Where a prompt is said.
    public sealed interface Place {
        /// In the session of this name, which is made if need be and goes on.
        record Named(SessionAlias alias) implements Place {}

        /// In a session that is there.
        record Known(SessionId id) implements Place {}

        /// In a new session each time.
        record Fresh() implements Place {}
    }

    /// The moment for which it is to run now, if none after it is due yet.
    public Optional<Instant> due(Instant now) {
        var patience = makeUp.compareTo(IN_TIME) < 0 ? IN_TIME : makeUp;
        var oldest = now.minus(patience);
        return when.latest(oldest.isBefore(since) ? since : oldest, now);
    }

    /// Where its sessions live, unless it speaks in one that is there.
    public Scope scope() {
        return new Scope(owner, agent);
    }

    /// What its runs want otherwise than their session.
    public Overrides overrides() {
        return Overrides.NONE.withAgent(agent).withRole(role).withModel(model);
    }
}

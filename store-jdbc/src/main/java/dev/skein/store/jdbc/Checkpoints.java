package dev.skein.store.jdbc;

import dev.skein.session.SessionState;
import dev.skein.store.jdbc.History.Segment;
import dev.skein.store.jdbc.sql.Database;
import dev.skein.wire.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// States at some places of sessions, so that opening one reads only what came later. Derived: all of them may be
/// deleted at any time.
///
/// The newest is always kept, and one in about a thousand events for those who fork from the past.
final class Checkpoints {

    private static final int FORMAT = 1;
    private static final long DISTANCE = 1_000;

    private final Database database;

    Checkpoints(Database database) {
        this.database = database;
    }

    /// What is in a row.
    record Stored(int format, @Nullable SessionState state) {}

    /// The newest state at or before `version`, of the session itself or of those that it shares events with.
    Optional<SessionState> before(List<Segment> segments, long version) {
        for (var segment : segments.reversed()) {
            var limit = Math.min(version, segment.last());
            var found = limit < segment.first() ? Optional.<SessionState>empty() : find(segment.session(), limit);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    void save(UUID session, SessionState state) {
        var body = Json.MAPPER.writeValueAsString(new Stored(FORMAT, state));
        var cast = database.dialect().isSingleWriter() ? "?" : "?::json";
        database.transaction("write down the state of a session", link -> {
            link.update(
                    "INSERT INTO skein_state (session, version, body) VALUES (?, ?, " + cast
                            + ") ON CONFLICT (session, version) DO NOTHING",
                    session,
                    state.version(),
                    body);
            return link.update(
                    "DELETE FROM skein_state WHERE session = ? AND version > ? AND version < ?",
                    session,
                    state.version() - state.version() % DISTANCE,
                    state.version());
        });
    }

    private Optional<SessionState> find(UUID session, long limit) {
        return database.read(
                        "read the state of a session",
                        link -> link.first(
                                "SELECT body FROM skein_state WHERE session = ? AND version <= ?"
                                        + " ORDER BY version DESC LIMIT 1",
                                row -> row.getBytes(1),
                                session,
                                limit))
                .flatMap(Checkpoints::parse);
    }

    /// What another version of this program wrote is not there.
    static Optional<SessionState> parse(byte @Nullable [] body) {
        if (body == null) {
            return Optional.empty();
        }
        try {
            var stored = Json.MAPPER.readValue(new String(body, StandardCharsets.UTF_8), Stored.class);
            var state = stored.state();
            var usable = stored.format() == FORMAT
                    && state != null
                    && state.opened() != null
                    && state.lastActivityAt() != null;
            return usable ? Optional.ofNullable(state) : Optional.empty();
        } catch (JacksonException | IllegalArgumentException | NullPointerException _) {
            return Optional.empty();
        }
    }
}

package dev.skein.store.file;

import dev.skein.session.SessionId;
import dev.skein.store.SessionSummary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// When sessions of one scope came back from the trash: small files that each hold a time, so that the rules do not
/// take away again as old what a person asked for. There are as few as there are such sessions.
final class Restored {

    private static final int SIZE_MAX = 4096;

    private final SessionTree tree;

    Restored(SessionTree tree) {
        this.tree = tree;
    }

    /// The caller is alone in the tree.
    void note(SessionId id, Instant now) throws IOException {
        tree.createDirectories(tree.layout().restored());
        tree.names().replace(file(id), (now + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    /// All that still say something about these sessions. Those of sessions that were used since or are gone are
    /// removed.
    Map<SessionId, Instant> among(List<SessionSummary> sessions) throws IOException {
        var noted = all();
        var telling = new HashMap<>(noted);
        for (var summary : noted.isEmpty() ? List.<SessionSummary>of() : sessions) {
            var id = summary.id();
            var at = id == null ? null : noted.remove(id);
            if (id != null && at != null && !at.isAfter(summary.lastActivityAt())) {
                telling.remove(id);
                forget(id, at, true);
            }
        }
        for (var other : noted.entrySet()) {
            forget(other.getKey(), other.getValue(), false);
        }
        return telling;
    }

    private Map<SessionId, Instant> all() throws IOException {
        var noted = new HashMap<SessionId, Instant>();
        for (var name : tree.disk().list(tree.layout().restored())) {
            var id = SessionId.parse(name).orElse(null);
            var at = id == null ? null : read(id);
            if (id != null && at != null) {
                noted.put(id, at);
            }
        }
        return noted;
    }

    /// Unless it was restored since.
    private void forget(SessionId id, Instant at, boolean used) throws IOException {
        tree.naming(() -> {
            if (Objects.equals(read(id), at) && (used || !tree.has(id))) {
                tree.names().deleteIfThere(file(id));
            }
            return id;
        });
    }

    private @Nullable Instant read(SessionId id) throws IOException {
        var bytes = tree.names().read(file(id), SIZE_MAX);
        return bytes == null ? null : timeIn(bytes);
    }

    private Path file(SessionId id) {
        return tree.layout().restored().resolve(id.toString());
    }

    /// The time that a file holds, or null if it holds something else.
    static @Nullable Instant timeIn(byte[] bytes) {
        try {
            return Instant.parse(new String(bytes, StandardCharsets.UTF_8).strip());
        } catch (DateTimeParseException _) {
            return null;
        }
    }
}

package dev.skein.store.jdbc;

import dev.skein.session.Scope;
import dev.skein.session.SessionId;
import dev.skein.store.jdbc.sql.Database;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/// One [LiveSession] per session in use, shared by all its handles and forgotten when nobody holds it. Safe for
/// use by many threads.
final class LiveSessions {

    /// How many entries may pile up before dead ones are cleared out.
    private static final int CLEAR_AT = 1_000;

    private final Database database;
    private final Map<UUID, WeakReference<LiveSession>> sessions = new HashMap<>();
    private int clearAt = CLEAR_AT;

    LiveSessions(Database database) {
        this.database = database;
    }

    synchronized LiveSession get(UUID session, Scope scope, SessionId id) {
        var reference = sessions.get(session);
        var live = reference == null ? null : reference.get();
        if (live == null) {
            live = new LiveSession(database, session, scope, id);
            sessions.put(session, new WeakReference<>(live));
            clearDead();
        }
        return live;
    }

    /// The session, if somebody here uses it.
    synchronized Optional<LiveSession> find(UUID session) {
        return Optional.ofNullable(sessions.get(session)).map(WeakReference::get);
    }

    synchronized List<LiveSession> all() {
        var all = new ArrayList<LiveSession>();
        for (var reference : sessions.values()) {
            var live = reference.get();
            if (live != null) {
                all.add(live);
            }
        }
        return all;
    }

    private void clearDead() {
        if (sessions.size() >= clearAt) {
            sessions.values().removeIf(reference -> reference.refersTo(null));
            clearAt = Math.max(CLEAR_AT, sessions.size() * 2);
        }
    }
}

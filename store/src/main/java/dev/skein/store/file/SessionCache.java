package dev.skein.store.file;

import dev.skein.session.SessionId;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One [LiveSession] per session in use, shared by all its handles and forgotten when nobody holds it, unless a
/// failed sync left it something to write again.
///
/// Safe for use by many threads.
final class SessionCache implements AutoCloseable {

    /// How many entries may pile up before dead ones are cleared out.
    private static final int CLEAR_AT = 1_000;

    private final Committer committer;
    private final Durability durability;
    private final Predicate<LiveSession> staysOpen;
    private final Map<Key, WeakReference<LiveSession>> sessions = new HashMap<>();
    private final Set<LiveSession> inDoubt = ConcurrentHashMap.newKeySet();
    private int clearAt = CLEAR_AT;

    SessionCache(Committer committer, Durability durability, Predicate<LiveSession> staysOpen) {
        this.committer = committer;
        this.staysOpen = staysOpen;
        this.durability = durability;
    }

    private record Key(SessionTree tree, SessionId id) {}

    synchronized LiveSession session(SessionTree tree, SessionId id) {
        var key = new Key(tree, id);
        var reference = sessions.get(key);
        var session = reference == null ? null : reference.get();
        if (session == null) {
            session = new LiveSession(tree, id, committer, durability, inDoubt, staysOpen);
            sessions.put(key, new WeakReference<>(session));
            clearDead();
        }
        return session;
    }

    /// The session was deleted: who opens one with its id again starts afresh.
    synchronized void forget(LiveSession session) {
        sessions.values().removeIf(reference -> reference.refersTo(session));
        inDoubt.remove(session);
        session.forget();
        try {
            session.occupancy().closeIfIdle();
        } catch (IOException e) {
            log().warn("session {}: its journal could not be closed", session.id(), e);
        }
    }

    @Override
    public synchronized void close() {
        for (var reference : sessions.values()) {
            var session = reference.get();
            if (session != null) {
                try {
                    session.writer().close();
                } catch (IOException e) {
                    log().warn("session {}: its journal could not be closed", session.id(), e);
                }
            }
        }
        sessions.clear();
    }

    private void clearDead() {
        if (sessions.size() >= clearAt) {
            sessions.values().removeIf(reference -> reference.refersTo(null));
            clearAt = Math.max(CLEAR_AT, sessions.size() * 2);
        }
    }

    private static Logger log() {
        return LoggerFactory.getLogger(SessionCache.class);
    }
}

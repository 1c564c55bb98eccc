package dev.skein.server.session;

import dev.skein.session.SessionId;
import dev.skein.store.SessionHandle;
import java.util.Iterator;
import java.util.LinkedHashMap;

/// The outlines of sessions that were looked at lately. Safe for use by many threads.
public final class Outlines {

    private static final int SESSIONS_MAX = 1_000;
    private static final int LOOPS_MAX = 200_000;

    private final LinkedHashMap<SessionId, Outline> recent = new LinkedHashMap<>(16, 0.75f, true);

    Outline of(SessionHandle session) {
        synchronized (recent) {
            var outline = recent.computeIfAbsent(session.id(), _ -> new Outline());
            forget(recent.values().iterator(), outline);
            return outline;
        }
    }

    /// The ones nobody asked for the longest, while there is too much, but never the one that is asked for now.
    private void forget(Iterator<Outline> oldestFirst, Outline now) {
        var loops = recent.values().stream().mapToLong(Outline::size).sum();
        while ((recent.size() > SESSIONS_MAX || loops > LOOPS_MAX) && oldestFirst.hasNext()) {
            var oldest = oldestFirst.next();
            if (oldest != now) {
                loops -= oldest.size();
                oldestFirst.remove();
            }
        }
    }
}

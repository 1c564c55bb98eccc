package dev.skein.store.file;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Does what can wait: writes `state.yaml` and `last_session` once a session rests, syncs journals that were
/// written without, closes journals, and runs retention. Nothing here is needed for the sessions to be right.
///
/// Safe for use by many threads.
final class Housekeeper implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Housekeeper.class);
    private static final Duration REST = Duration.ofSeconds(2);
    private static final Duration BUSY_MAX = Duration.ofSeconds(30);
    private static final Duration SYNC = Duration.ofSeconds(30);
    private static final int KEPT_MIN = 64;
    private static final int KEPT_MAX = 2_000;

    private final Durability durability;
    private final ScheduledThreadPoolExecutor thread;
    private final Map<LiveSession, Change> changed = new LinkedHashMap<>();
    private final Map<LiveSession, Boolean> unsynced = new HashMap<>();
    private final Map<SessionTree, LiveSession> last = new HashMap<>();

    Housekeeper(Durability durability) {
        this.durability = durability;
        this.thread = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("skein-housekeeping").factory());
        every(Duration.ofSeconds(1), this::writeRested);
        if (durability == Durability.INTERVAL) {
            every(SYNC, this::sync);
        }
    }

    /// Asked for late: most programs never write to that many sessions, and it takes a while to start.
    private static final class Descriptors {
        private static final long SPARE =
                ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                        ? Math.clamp(unix.getMaxFileDescriptorCount() / 8, KEPT_MIN, KEPT_MAX)
                        : KEPT_MIN;
    }

    /// Since when a session has unwritten changes, and when the newest was.
    private record Change(long first, long newest) {}

    /// A session was written to.
    synchronized void changed(SessionTree tree, LiveSession session) {
        var now = System.nanoTime();
        changed.merge(session, new Change(now, now), (old, _) -> new Change(old.first(), now));
        if (durability != Durability.ALWAYS) {
            unsynced.put(session, true);
        }
        last.put(tree, session);
    }

    /// Whether the session has changes to be written, so that its journal will be closed after that. Not of more
    /// sessions than there are descriptors to spare.
    synchronized boolean looksAfter(LiveSession session) {
        var few = changed.size() <= KEPT_MIN || changed.size() <= Descriptors.SPARE;
        return few && changed.containsKey(session);
    }

    /// A session was made that nobody has used yet.
    synchronized void made(LiveSession session) {
        var now = System.nanoTime();
        changed.put(session, new Change(now, now));
    }

    /// A session is no more.
    synchronized void forget(LiveSession session) {
        changed.remove(session);
        unsynced.remove(session);
        last.values().removeIf(session::equals);
    }

    /// The session of this scope that was used last, if that was here and is not written down yet.
    synchronized Optional<LiveSession> lastIn(SessionTree tree) {
        return Optional.ofNullable(last.get(tree));
    }

    /// Does something again and again until closed. What goes wrong is logged and tried again next time.
    void every(Duration pause, Runnable task) {
        var _ = thread.scheduleWithFixedDelay(
                () -> {
                    try {
                        task.run();
                    } catch (RuntimeException e) {
                        LOG.warn("housekeeping failed and is tried again in {}", pause, e);
                    }
                },
                pause.toMillis(),
                pause.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(10, TimeUnit.SECONDS)) {
                LOG.warn("housekeeping did not stop within 10 s");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        sync();
        write(Duration.ZERO, Duration.ZERO);
    }

    private void writeRested() {
        write(REST, BUSY_MAX);
    }

    /// Writes what rested for so long, or was busy for so long.
    private void write(Duration rest, Duration busyMax) {
        var now = System.nanoTime();
        var due = new ArrayList<LiveSession>();
        Map<SessionTree, LiveSession> pointers;
        synchronized (this) {
            changed.forEach((session, change) -> {
                if (now - change.newest() >= rest.toNanos() || now - change.first() >= busyMax.toNanos()) {
                    due.add(session);
                }
            });
            due.forEach(changed::remove);
            pointers = due.isEmpty() ? Map.of() : new HashMap<>(last);
            if (!due.isEmpty()) {
                last.clear();
            }
        }
        for (var session : due) {
            attempt(session, session::writeState);
            attempt(session, session.occupancy()::closeIfIdle);
        }
        pointers.forEach((tree, session) -> attempt(session, () -> tree.writeLast(session.id())));
    }

    private void sync() {
        ArrayList<LiveSession> due;
        synchronized (this) {
            due = new ArrayList<>(unsynced.keySet());
            unsynced.clear();
        }
        if (durability == Durability.INTERVAL) {
            due.forEach(session -> attempt(session, () -> session.writer().sync()));
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    private static void attempt(LiveSession session, Step step) {
        try {
            step.run();
        } catch (IOException | RuntimeException e) {
            LOG.warn("session {}: what can wait could not be done; it is done when needed", session.id(), e);
        }
    }
}

package dev.skein.store.jdbc;

import dev.skein.failure.SkeinException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes what is derived from sessions, once they rest, and does what has to be done every so often. Never on the
/// path of an append. Safe for use by many threads.
final class Housekeeper implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Housekeeper.class);

    /// A session that never rests is written down after so many appends all the same, if that was not just done.
    private static final int APPENDS_MAX = 200;

    private static final int RESTS_BETWEEN = 10;

    private static final Duration CLOSING = Duration.ofSeconds(10);

    private final Consumer<LiveSession> derive;
    private final Duration rest;
    private final Map<LiveSession, Unrest> changed = new ConcurrentHashMap<>();
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(
            2, Thread.ofPlatform().daemon().name("skein-store-", 0).factory());

    Housekeeper(Duration rest, Consumer<LiveSession> derive) {
        this.rest = rest;
        this.derive = derive;
        every(rest.dividedBy(2), this::deriveAtRest);
    }

    /// When a session was changed first and last since it was written down, and how often.
    private record Unrest(long since, long at, int appends) {}

    void every(Duration time, Runnable task) {
        var _ = timer.scheduleWithFixedDelay(() -> quietly(task), time.toNanos(), time.toNanos(), TimeUnit.NANOSECONDS);
    }

    void changed(LiveSession session) {
        var now = System.nanoTime();
        changed.merge(session, new Unrest(now, now, 1), (old, _) -> new Unrest(old.since(), now, old.appends() + 1));
    }

    private void deriveAtRest() {
        var now = System.nanoTime();
        changed.forEach((session, unrest) -> {
            var busyForLong = unrest.appends() >= APPENDS_MAX && now - unrest.since() >= RESTS_BETWEEN * rest.toNanos();
            if (busyForLong || now - unrest.at() >= rest.toNanos()) {
                changed.remove(session);
                quietly(() -> derive.accept(session));
            }
        });
    }

    /// Writes what is left, as far as there is time.
    @Override
    public void close() {
        timer.shutdown();
        var deadline = System.nanoTime() + CLOSING.toNanos();
        try {
            timer.awaitTermination(CLOSING.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        for (var session : changed.keySet()) {
            if (System.nanoTime() < deadline) {
                quietly(() -> derive.accept(session));
            }
        }
        changed.clear();
    }

    /// Everything here can be done later, or by somebody else.
    private static void quietly(Runnable task) {
        try {
            task.run();
        } catch (SkeinException | IllegalStateException e) {
            LOG.debug("left for later: {}", e.getMessage());
        } catch (RuntimeException e) {
            LOG.warn("housekeeping failed and is tried again later", e);
        }
    }
}

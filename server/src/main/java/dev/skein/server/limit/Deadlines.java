package dev.skein.server.limit;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// Interrupts threads that wait for somebody for too long. A socket that is being read or written is closed by that.
///
/// Looks twice a second. Safe for use by many threads.
public final class Deadlines implements AutoCloseable {

    private static final long PERIOD_MILLIS = 500;

    private final Set<Watch> watched = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("skein-deadlines").factory());

    public Deadlines() {
        var _ = clock.scheduleWithFixedDelay(this::sweep, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    /// One wait of one thread.
    public final class Watch implements AutoCloseable {

        private final Thread thread = Thread.currentThread();
        private final long since = System.nanoTime();
        private final long allowedNanos;
        private final Runnable then;
        private boolean over;
        private boolean late;

        private Watch(Duration allowed, Runnable then) {
            this.allowedNanos = allowed.toNanos();
            this.then = then;
        }

        /// Whether it took too long.
        public synchronized boolean isLate() {
            return late;
        }

        private synchronized void look() {
            if (!over && System.nanoTime() - since > allowedNanos) {
                over = true;
                late = true;
                thread.interrupt();
                watched.remove(this);
                then.run();
            }
        }

        @Override
        public synchronized void close() {
            over = true;
            watched.remove(this);
        }
    }

    /// Watches this thread until the watch is closed.
    public Watch begin(Duration allowed) {
        return begin(allowed, () -> {});
    }

    /// The same; `then` is run, quickly, if it takes too long.
    public Watch begin(Duration allowed, Runnable then) {
        var watch = new Watch(allowed, then);
        watched.add(watch);
        return watch;
    }

    int size() {
        return watched.size();
    }

    /// One that fails must neither hide the others nor be the last look.
    private void sweep() {
        for (var watch : watched) {
            try {
                watch.look();
            } catch (RuntimeException | Error _) {
                // It is looked at again.
            }
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}

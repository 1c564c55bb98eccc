package dev.skein.cli.repl;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Ticks while somebody waits, on a thread of its own. The one who is told draws.
///
/// Safe for use by several threads.
final class Spinner implements AutoCloseable {

    private static final Duration TICK = Duration.ofMillis(120);

    private final ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofVirtual().name("skein-spinner").factory());
    private final Runnable tick;
    private @Nullable ScheduledFuture<?> ticking;

    Spinner(Runnable tick) {
        this.tick = tick;
    }

    synchronized void start() {
        if (ticking == null) {
            ticking = ticker.scheduleAtFixedRate(tick, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /// No tick begins after this; one may be under way.
    synchronized void stop() {
        if (ticking != null) {
            ticking.cancel(false);
            ticking = null;
        }
    }

    @Override
    public void close() {
        ticker.shutdownNow();
    }
}

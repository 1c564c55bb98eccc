package dev.skein.tools.mcp.pool;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;

/// Ends servers, and knows whether some are just ending. Safe for use by many threads.
final class Endings {

    private int going;

    /// These are about to end. Said while the pool's lock is held, so that whoever closes it does not overlook them.
    synchronized void announce(List<Slot> ending) {
        going += ending.isEmpty() ? 0 : 1;
    }

    /// Ends what was announced: at the same time, since each may take a moment.
    void end(List<Slot> ending) {
        if (ending.isEmpty()) {
            return;
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            ending.forEach(slot -> slot.started().ifPresent(there -> threads.execute(there::close)));
        } finally {
            over();
        }
    }

    private synchronized void over() {
        going--;
        notifyAll();
    }

    /// Waits until none is ending any more, but not for ever.
    synchronized void await(Duration patience) {
        var deadline = System.nanoTime() + patience.toNanos();
        try {
            for (var left = patience.toMillis();
                    going > 0 && left > 0;
                    left = Duration.ofNanos(deadline - System.nanoTime()).toMillis()) {
                wait(left);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}

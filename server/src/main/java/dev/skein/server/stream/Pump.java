package dev.skein.server.stream;

import dev.skein.store.Watch;
import org.jspecify.annotations.Nullable;

/// Brings the journal of one session to its channel, until it is stopped. Worked by one thread, stopped by any.
final class Pump {

    private @Nullable Watch watch;
    private boolean stopped;

    /// What it waits for; closed at once if it was stopped before.
    synchronized void from(Watch source) {
        watch = source;
        if (stopped) {
            source.close();
        }
    }

    /// Ends the wait, too.
    synchronized void stop() {
        stopped = true;
        if (watch != null) {
            watch.close();
        }
    }

    synchronized boolean isStopped() {
        return stopped;
    }
}

package dev.skein.engine;

import dev.skein.cancellation.Cancellation;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Waits before something is tried again.
public interface Pause {

    /// Returns after so long, or as soon as the cancellation is asked for.
    void take(Duration length, Cancellation cancellation) throws InterruptedException;

    /// Really waits.
    Pause REAL = (length, cancellation) -> {
        var cancelled = new CountDownLatch(1);
        try (var _ = cancellation.onCancel(cancelled::countDown)) {
            var _ = cancelled.await(length.toNanos(), TimeUnit.NANOSECONDS);
        }
    };
}

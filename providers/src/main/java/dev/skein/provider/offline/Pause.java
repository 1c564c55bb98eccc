package dev.skein.provider.offline;

import dev.skein.cancellation.Cancellation;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A wait between two words, which a cancellation ends at once.
@FunctionalInterface
public interface Pause {

    /// Waits, on the clock of this machine.
    Pause REAL = (time, cancellation) -> {
        var cancelled = new CountDownLatch(1);
        try (var _ = cancellation.onCancel(cancelled::countDown)) {
            var _ = cancelled.await(time.toMillis(), TimeUnit.MILLISECONDS);
        }
    };

    void wait(Duration time, Cancellation cancellation) throws InterruptedException;
}

package dev.skein.store.jdbc;

import dev.skein.failure.SessionLocked;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Lets one thread of this process through at a time, in the order in which they came. Safe for use by many
/// threads.
final class Turnstile {

    private final Object name;
    private final Semaphore threads = new Semaphore(1, true);
    private volatile @Nullable Thread holder;

    Turnstile(Object name) {
        this.name = name;
    }

    /// The turn of one thread, which another may end.
    final class Pass implements AutoCloseable {
        private final AtomicBoolean open = new AtomicBoolean(true);

        @Override
        public void close() {
            if (open.compareAndSet(true, false)) {
                holder = null;
                threads.release();
            }
        }
    }

    /// @throws SessionLocked if it takes longer than `wait`
    Pass enter(Duration wait) {
        if (isMine()) {
            throw new IllegalStateException(
                    "this thread holds a guard of session " + name + " and would wait for itself; close that first");
        }
        if (!acquire(wait)) {
            throw new SessionLocked(name, wait);
        }
        holder = Thread.currentThread();
        return new Pass();
    }

    boolean isMine() {
        return Thread.currentThread().equals(holder);
    }

    private boolean acquire(Duration wait) {
        try {
            return threads.tryAcquire(TimeUnit.NANOSECONDS.convert(wait), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            // Who is interrupted does not wait, but may take what is free: a cancelled turn still has its end to write.
            Thread.currentThread().interrupt();
            return threads.tryAcquire();
        }
    }
}

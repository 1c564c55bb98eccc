package dev.skein.store.file;

import dev.skein.failure.SessionLocked;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Lets one caller at a time through: first come, first served among threads, then by a [LockFile] among
/// processes. Waiting is bounded. Taking and dropping a file lock is not interruptible I/O, so it is done by the
/// caller's own thread.
final class Turnstile {

    private static final long PAUSE_MIN = 200_000;
    private static final long PAUSE_MAX = 20_000_000;

    private final Object name;
    private final Path file;
    private final Semaphore threads = new Semaphore(1, true);
    private volatile @Nullable Thread holder;

    Turnstile(Object name, Path file) {
        this.name = name;
        this.file = file;
    }

    /// Being through. Closing it lets the next caller in.
    final class Pass implements AutoCloseable {
        private @Nullable LockFile lock;

        private Pass(LockFile lock) {
            this.lock = lock;
        }

        @Override
        public void close() throws IOException {
            var held = lock;
            if (held == null) {
                return;
            }
            lock = null;
            try {
                held.close();
            } finally {
                holder = null;
                threads.release();
            }
        }
    }

    /// Waits for its turn.
    ///
    /// @throws SessionLocked if it does not come in time
    Pass enter(Duration wait) throws IOException {
        if (isMine()) {
            throw new IllegalStateException("this thread already holds the lock of " + name + "; close that first");
        }
        var deadline = System.nanoTime() + wait.toNanos();
        if (!acquire(wait)) {
            throw new SessionLocked(name, wait);
        }
        try {
            for (var pause = PAUSE_MIN; ; pause = Math.min(pause * 2, PAUSE_MAX)) {
                var lock = LockFile.tryAcquire(file);
                if (lock != null) {
                    holder = Thread.currentThread();
                    return new Pass(lock);
                }
                var left = deadline - System.nanoTime();
                if (left <= 0 || Thread.currentThread().isInterrupted()) {
                    throw new SessionLocked(name, wait);
                }
                LockSupport.parkNanos(Math.min(pause, left));
            }
        } catch (IOException | RuntimeException e) {
            threads.release();
            throw e;
        }
    }

    /// Whether this very thread is through.
    boolean isMine() {
        return Thread.currentThread().equals(holder);
    }

    private boolean acquire(Duration wait) {
        try {
            return threads.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            // Who is interrupted does not wait, but may take what is free: a cancelled turn still has its end to write.
            Thread.currentThread().interrupt();
            return threads.tryAcquire();
        }
    }
}

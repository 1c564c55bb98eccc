package dev.skein.tools.process;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Starts processes, all from one thread that lives as long as we do.
///
/// The death signal of a child is tied to the thread that started it, not to the process: a child started from a
/// thread that ends is killed with it. Safe for use by many threads.
final class Spawner {

    private static final ExecutorService THREAD = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("skein-spawner").factory());

    private Spawner() {}

    /// Starts a process.
    static Process start(ProcessBuilder builder) throws IOException {
        return there(builder::start);
    }

    /// What this machine can contain; found out on that thread, which nobody interrupts.
    static Containment containment() throws IOException {
        return there(Containment::best);
    }

    /// Does something there. Once begun, an interrupt does not end the wait, so that no child is ever lost.
    private static <T> T there(Callable<T> work) throws IOException {
        var working = THREAD.submit(work);
        var interrupted = false;
        try {
            while (true) {
                try {
                    return working.get();
                } catch (InterruptedException _) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof IOException cause) {
                        throw new IOException(cause.getMessage(), cause);
                    }
                    throw new IllegalStateException("a program could not be started", e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

package dev.skein.store.file;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// The commit path: everything that writes to a journal goes through here.
///
/// A caller on a platform thread does its own work: files are opened so that an interrupt does them no harm,
/// and a hop between threads costs more than the write. A virtual thread would hold on to its carrier during a
/// sync, so its work is done by one of a few platform threads; whoever is cancelled meanwhile waits for the
/// write it began. Sessions commit in parallel, each syncing its own file; a log shared by all could take this
/// place without a change elsewhere.
final class Committer implements AutoCloseable {

    private static final int THREADS = 16;

    private final Executor executor;
    private final Runnable shutdown;

    Committer() {
        this(Executors.newFixedThreadPool(
                THREADS, Thread.ofPlatform().daemon().name("skein-commit-", 0).factory()));
    }

    private Committer(ExecutorService threads) {
        this(threads, threads::close);
    }

    private Committer(Executor executor, Runnable shutdown) {
        this.executor = executor;
        this.shutdown = shutdown;
    }

    /// A committer without threads: the caller does the work, whatever it is.
    static Committer inline() {
        return new Committer(Runnable::run, () -> {});
    }

    /// Something that does I/O.
    interface Task<T> {
        T run() throws IOException;
    }

    /// Runs the task to its end, whatever happens to the caller meanwhile.
    <T> T run(Task<T> task) throws IOException {
        if (!Thread.currentThread().isVirtual()) {
            return task.run();
        }
        var errand = new Errand<>(task);
        executor.execute(errand);
        return errand.await();
    }

    @Override
    public void close() {
        shutdown.run();
    }

    /// One task and its outcome.
    private static final class Errand<T> implements Runnable {
        private final Task<T> task;
        private final CountDownLatch done = new CountDownLatch(1);
        private @Nullable T result;
        private @Nullable Throwable failure;

        Errand(Task<T> task) {
            this.task = task;
        }

        @Override
        public void run() {
            try {
                result = task.run();
            } catch (IOException | RuntimeException | Error e) {
                failure = e;
            } finally {
                done.countDown();
            }
        }

        @SuppressWarnings("NullAway") // the result is null only if the task returned null
        T await() throws IOException {
            var interrupted = false;
            while (true) {
                try {
                    done.await();
                    break;
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            switch (failure) {
                case null -> {}
                case IOException e -> throw e;
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                default -> throw new IllegalStateException(failure);
            }
            return result;
        }
    }
}

package dev.skein.server.health;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Whether the server is ready: it is not about to stop, and a cheap question to its store gets an answer.
///
/// Anybody may ask, so nothing but yes or no is told, and the store is asked at most once a second. Safe for use by
/// many threads.
public final class Health {

    private static final Logger LOG = LoggerFactory.getLogger(Health.class);
    private static final long KEPT_NANOS = 1_000_000_000;

    private final Runnable question;
    private final Duration patience;
    private final LongSupplier nanos;
    private final ReentrantLock asking = new ReentrantLock();
    private volatile boolean draining;
    private volatile Answer last;

    private record Answer(boolean good, long at) {}

    /// `question` returns if the store answers, and throws or waits if not.
    public Health(Runnable question, Duration patience, LongSupplier nanos) {
        this.question = question;
        this.patience = patience;
        this.nanos = nanos;
        this.last = new Answer(false, nanos.getAsLong() - 2 * KEPT_NANOS);
    }

    /// From now on not ready: whoever sends requests should send them elsewhere.
    public void drain() {
        draining = true;
    }

    public boolean isDraining() {
        return draining;
    }

    public boolean isReady() {
        return !draining && storeAnswers();
    }

    private boolean storeAnswers() {
        if (nanos.getAsLong() - last.at() < KEPT_NANOS) {
            return last.good();
        }
        // While somebody asks, others get the last answer rather than a queue.
        if (!asking.tryLock()) {
            return last.good();
        }
        try {
            last = new Answer(ask(), nanos.getAsLong());
            return last.good();
        } finally {
            asking.unlock();
        }
    }

    private boolean ask() {
        var answer = new CompletableFuture<Void>();
        var thread = Thread.ofVirtual().name("skein-health").start(() -> {
            try {
                question.run();
                answer.complete(null);
            } catch (RuntimeException | Error e) {
                answer.completeExceptionally(e);
            }
        });
        try {
            answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException e) {
            LOG.warn("not ready: the store does not answer: {}", String.valueOf(e.getCause()));
        } catch (TimeoutException _) {
            LOG.warn("not ready: the store did not answer within {} s", patience.toSeconds());
            thread.interrupt();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        return false;
    }
}

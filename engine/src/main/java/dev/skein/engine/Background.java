package dev.skein.engine;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.Cancelled;
import dev.skein.failure.SessionNotFound;
import dev.skein.session.SessionId;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What is done for sessions while nobody waits for it. None of it is needed: what fails is logged, and done another
/// time. Safe for use by many threads.
final class Background implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Background.class);
    private static final Duration CLOSING = Duration.ofSeconds(10);

    private final Cancellation closing = new Cancellation();
    private final Set<SessionId> compacting = new HashSet<>();
    private int running;

    /// Starts work in a thread of its own.
    synchronized void run(String what, Consumer<Cancellation> work) {
        running++;
        Thread.ofVirtual().name("skein-background").start(() -> {
            try {
                work.accept(closing);
            } catch (Cancelled _) {
                LOG.debug("{} was given up", what);
            } catch (SessionNotFound _) {
                LOG.debug("{} is of no use: it was deleted", what);
            } catch (RuntimeException e) {
                LOG.warn("{} failed and is left for another time", what, e);
            } finally {
                ended();
            }
        });
    }

    /// Starts a compaction, unless one is running for this session.
    synchronized void compact(SessionId session, Consumer<Cancellation> work) {
        if (compacting.add(session)) {
            run("the compaction of session " + session, stop -> {
                try {
                    work.accept(stop);
                } finally {
                    compacted(session);
                }
            });
        }
    }

    /// Waits for a compaction that is running for this session, or for the cancellation.
    synchronized void awaitCompaction(SessionId session, Cancellation cancellation) {
        try (var _ = cancellation.onCancel(this::wake)) {
            while (compacting.contains(session) && !cancellation.isCancelled()) {
                wait();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Cancelled("interrupted");
        }
    }

    /// Lets what is running come to its end, but not for ever.
    @Override
    public synchronized void close() {
        var end = System.nanoTime() + CLOSING.toNanos();
        try {
            for (var left = CLOSING.toMillis(); running > 0 && left > 0; left = (end - System.nanoTime()) / 1_000_000) {
                wait(left);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        closing.cancel("the engine was closed");
    }

    private synchronized void ended() {
        running--;
        notifyAll();
    }

    private synchronized void compacted(SessionId session) {
        compacting.remove(session);
        notifyAll();
    }

    private synchronized void wake() {
        notifyAll();
    }
}

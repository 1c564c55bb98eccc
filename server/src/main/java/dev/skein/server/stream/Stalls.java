package dev.skein.server.stream;

import dev.skein.cancellation.Cancellation.Registration;
import dev.skein.engine.Timers;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Looks after open streams: who takes nothing for two heartbeats is gone. Safe for use by many threads.
public final class Stalls implements AutoCloseable {

    private final Timers timers;
    private final Duration period;
    private final Set<EventOut> open = ConcurrentHashMap.newKeySet();
    private @Nullable Registration next;
    private boolean closed;

    public Stalls(Timers timers, Duration heartbeat) {
        this.timers = timers;
        this.period = heartbeat;
    }

    void add(EventOut stream) {
        open.add(stream);
        schedule();
    }

    void remove(EventOut stream) {
        open.remove(stream);
    }

    /// How many streams are open.
    public int size() {
        return open.size();
    }

    private synchronized void schedule() {
        if (next == null && !closed && !open.isEmpty()) {
            next = timers.after(period, this::look);
        }
    }

    private void look() {
        var max = period.multipliedBy(2).toNanos();
        try {
            open.forEach(stream -> stream.interruptIfStalled(max));
        } finally {
            synchronized (this) {
                next = null;
            }
            schedule();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (next != null) {
            next.close();
        }
    }
}

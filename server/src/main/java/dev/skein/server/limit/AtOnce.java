package dev.skein.server.limit;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/// Counts what each of many callers has going on at the same time. Safe for use by many threads.
public final class AtOnce {

    private final ConcurrentHashMap<String, Integer> running = new ConcurrentHashMap<>();
    private volatile int max;

    public AtOnce(int max) {
        this.max = max;
    }

    /// Holds a place until it is closed, once or more often.
    public interface Place extends AutoCloseable {
        @Override
        void close();
    }

    public void change(int newMax) {
        max = newMax;
    }

    /// Empty if this caller has as much going on as it may.
    public Optional<Place> enter(String caller) {
        var granted = new AtomicBoolean();
        running.compute(caller, (_, before) -> {
            var count = before == null ? 0 : before;
            granted.set(count < max);
            return granted.get() ? Integer.valueOf(count + 1) : before;
        });
        if (!granted.get()) {
            return Optional.empty();
        }
        var open = new AtomicBoolean(true);
        return Optional.of(() -> {
            if (open.compareAndSet(true, false)) {
                running.computeIfPresent(caller, (_, count) -> count > 1 ? count - 1 : null);
            }
        });
    }

    /// How much this caller has going on.
    public int count(String caller) {
        return running.getOrDefault(caller, 0);
    }
}

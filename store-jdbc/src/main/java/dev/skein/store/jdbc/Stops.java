package dev.skein.store.jdbc;

import dev.skein.cancellation.Cancellation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/// Who wants to hear that somebody asked for the end of what runs in a session. The database counts how often that was
/// asked for; who saw a smaller number when it began is meant. Safe for use by many threads.
final class Stops {

    private final Map<Runnable, Long> listeners = new LinkedHashMap<>();

    /// `known` is how often it was asked for so far.
    synchronized Cancellation.Registration listen(Runnable listener, long known) {
        listeners.put(listener, known);
        return () -> forget(listener);
    }

    private synchronized void forget(Runnable listener) {
        listeners.remove(listener);
    }

    /// It was asked for so often.
    void saw(long stops) {
        var told = new ArrayList<Runnable>();
        synchronized (this) {
            listeners.forEach((listener, known) -> {
                if (known < stops) {
                    told.add(listener);
                }
            });
            told.forEach(listeners::remove);
        }
        told.forEach(Runnable::run);
    }
}

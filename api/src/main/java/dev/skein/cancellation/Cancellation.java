package dev.skein.cancellation;

import dev.skein.failure.Cancelled;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Asks running work to stop, and tells it why. Asked once, for good.
///
/// Safe for use by many threads. Listeners run in the thread that cancels, so they should be quick.
public final class Cancellation {

    private final Set<Runnable> listeners = new LinkedHashSet<>();
    private @Nullable String reason;

    /// Asks for the end. Asking again changes nothing.
    public void cancel(String why) {
        Set<Runnable> told;
        synchronized (this) {
            if (reason != null) {
                return;
            }
            reason = why;
            told = new LinkedHashSet<>(listeners);
            listeners.clear();
        }
        told.forEach(Runnable::run);
    }

    public synchronized boolean isCancelled() {
        return reason != null;
    }

    /// Why the end was asked for; empty as long as it was not.
    public synchronized Optional<String> reason() {
        return Optional.ofNullable(reason);
    }

    /// Ends the caller's work if that was asked for.
    ///
    /// @throws Cancelled if the end was asked for
    public synchronized void check() {
        if (reason != null) {
            throw new Cancelled(reason);
        }
    }

    /// Runs the listener when the end is asked for; at once if it was. Closing what is returned takes it back.
    public Registration onCancel(Runnable listener) {
        synchronized (this) {
            if (reason == null) {
                listeners.add(listener);
                return () -> remove(listener);
            }
        }
        listener.run();
        return () -> {};
    }

    /// Something that can be taken back.
    public interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    private synchronized void remove(Runnable listener) {
        listeners.remove(listener);
    }
}

package dev.skein.store;

import dev.skein.session.Entry;
import java.time.Duration;
import java.util.Optional;

/// A live tail of one session. For use by one thread, but closed by any.
public interface Watch extends AutoCloseable {

    /// The next event, waiting for it at most so long; empty if none came.
    ///
    /// @throws dev.skein.failure.SessionNotFound once the session was deleted
    /// @throws InterruptedException if the waiting thread was interrupted
    Optional<Entry> next(Duration wait) throws InterruptedException;

    /// Ends a wait, too, with an [IllegalStateException].
    @Override
    void close();
}

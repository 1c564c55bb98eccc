package dev.skein.store;

import dev.skein.session.SessionEvent;
import dev.skein.session.SessionState;
import java.util.List;

/// The right to write to one session, held until closed.
///
/// For use by one thread at a time; it may be closed by another than took it. Once closed, it can be closed again
/// to no effect; using it otherwise is an `IllegalStateException`.
public interface SessionGuard extends AutoCloseable {

    /// The session as it is now; nobody else can change it while this guard is held.
    SessionState state();

    /// Appends all events of the batch or none.
    ///
    /// @throws dev.skein.failure.Concurrent if the session is not at the batch's version
    /// @throws dev.skein.failure.KeyConflict if the batch's key was used for other events
    /// @throws dev.skein.failure.SessionNotFound if the session was deleted meanwhile
    /// @throws dev.skein.failure.StorageFailed if the storage failed; whether the events are kept is then
    ///     unknown, and retrying with the same key settles it
    Appended append(Batch batch);

    /// Appends events on top of what is there now.
    default Appended append(List<? extends SessionEvent> events) {
        return append(Batch.at(state().version(), events));
    }

    @Override
    void close();
}

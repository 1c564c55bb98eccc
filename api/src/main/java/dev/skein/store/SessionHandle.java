package dev.skein.store;

import dev.skein.cancellation.Cancellation;
import dev.skein.session.ContextView;
import dev.skein.session.Entry;
import dev.skein.session.LoopPointer;
import dev.skein.session.LoopRecord;
import dev.skein.session.Scope;
import dev.skein.session.Session;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionFold;
import dev.skein.session.SessionId;
import dev.skein.session.SessionState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// One session, open. Reading needs no lock and never waits for a writer; writing goes through [#lock].
///
/// All handles of a session in one process share one lock. Do not call [#lock] while the same thread holds a
/// guard of that session: it would wait for itself, so it throws `IllegalStateException` instead.
///
/// Safe for use by many threads.
public interface SessionHandle extends AutoCloseable {

    /// How long [#append] waits for its turn.
    Duration WAIT_DEFAULT = Duration.ofSeconds(30);

    SessionId id();

    Scope scope();

    /// What is needed to take the next turn, as of now. Costs the same for long and short sessions.
    SessionState state();

    /// Hands over the events from sequence number `from` on, in order, up to the newest whole append.
    void read(long from, Consumer<Entry> each);

    /// What a model gets to see: the newest messages on the path to the head. Reads only those.
    ContextView context(int messagesMax);

    /// What a model would see if this loop were the head.
    default ContextView context(LoopPointer loop, int messagesMax) {
        var session = load();
        return ContextView.from(loop, session, session.state(), messagesMax);
    }

    /// One loop of the session, read on its own. Without its children and groups: only [#load] knows those.
    default Optional<LoopRecord> loop(LoopPointer pointer) {
        return load().loop(pointer.loop());
    }

    /// Waits for the right to write.
    ///
    /// @throws dev.skein.failure.SessionLocked if it does not come within `wait`
    SessionGuard lock(Duration wait);

    /// Follows the session from sequence number `from` on: what is there, then what comes.
    Watch watch(long from);

    /// Asks whoever runs here or waits for its turn, in any program that shares the store, to stop. Says whether
    /// another
    /// program has the turn. A store that tells nobody else has nobody to ask.
    default boolean askToStop() {
        return false;
    }

    /// Runs the listener, once and soon, when [#askToStop] is called anywhere from now on. Closing what is returned
    /// takes
    /// it back.
    default Cancellation.Registration onStopAsked(Runnable listener) {
        return () -> {};
    }

    /// Everything from sequence number `from` on, as a list.
    default List<Entry> read(long from) {
        var entries = new ArrayList<Entry>();
        read(from, entries::add);
        return entries;
    }

    /// As [#read], but the events of one append together, where the store knows which those are. The first may
    /// lack what came before `from`.
    default void readAppends(long from, Consumer<List<Entry>> each) {
        read(from, entry -> each.accept(List.of(entry)));
    }

    /// The whole session. Reads all of it.
    default Session load() {
        var fold = new SessionFold();
        read(1, fold::add);
        return fold.session();
    }

    /// Appends events in a turn of their own, whatever the version is.
    default Appended append(List<? extends SessionEvent> events) {
        try (var guard = lock(WAIT_DEFAULT)) {
            return guard.append(Batch.at(guard.state().version(), events));
        }
    }

    /// Appends a batch in a turn of its own.
    default Appended append(Batch batch) {
        try (var guard = lock(WAIT_DEFAULT)) {
            return guard.append(batch);
        }
    }

    @Override
    void close();
}

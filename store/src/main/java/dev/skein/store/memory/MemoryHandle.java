package dev.skein.store.memory;

import dev.skein.session.ContextView;
import dev.skein.session.Entry;
import dev.skein.session.LoopPointer;
import dev.skein.session.LoopRecord;
import dev.skein.session.Scope;
import dev.skein.session.SessionId;
import dev.skein.session.SessionState;
import dev.skein.store.SessionGuard;
import dev.skein.store.SessionHandle;
import dev.skein.store.Watch;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/// A session, open. There is nothing to let go of, so closing does nothing.
record MemoryHandle(MemorySession session) implements SessionHandle {

    @Override
    public SessionId id() {
        return session.id();
    }

    @Override
    public Scope scope() {
        return session.scope();
    }

    @Override
    public SessionState state() {
        return session.state();
    }

    @Override
    public void read(long from, Consumer<Entry> each) {
        session.read(from, each);
    }

    @Override
    public ContextView context(int messagesMax) {
        var state = session.state();
        return ContextView.of(session.journal().loopsAt(state.version()), state, messagesMax);
    }

    @Override
    public ContextView context(LoopPointer loop, int messagesMax) {
        var state = session.state();
        return ContextView.from(loop, session.journal().loopsAt(state.version()), state, messagesMax);
    }

    @Override
    public Optional<LoopRecord> loop(LoopPointer pointer) {
        return Optional.ofNullable(
                session.journal().loopsAt(session.state().version()).loop(pointer));
    }

    @Override
    public SessionGuard lock(Duration wait) {
        return session.lock(wait);
    }

    @Override
    public Watch watch(long from) {
        session.requireAlive();
        return new Tail(session, from);
    }

    @Override
    public void close() {}

    /// Hands over one event after the other. For use by one thread, but closed by any.
    private static final class Tail implements Watch {

        private final MemorySession session;
        private long next;
        private volatile boolean closed;

        Tail(MemorySession session, long from) {
            this.session = session;
            this.next = Math.max(1, from);
        }

        @Override
        public Optional<Entry> next(Duration wait) throws InterruptedException {
            var entry = session.journal().await(next, wait, this::requireOpen);
            if (entry.isPresent()) {
                next++;
            }
            return entry;
        }

        @Override
        public void close() {
            closed = true;
            session.journal().wake();
        }

        private void requireOpen() {
            session.requireAlive();
            if (closed) {
                throw new IllegalStateException("this watch of session " + session.id() + " was closed");
            }
        }
    }
}

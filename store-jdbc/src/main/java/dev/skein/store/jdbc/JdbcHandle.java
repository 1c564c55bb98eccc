package dev.skein.store.jdbc;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.Concurrent;
import dev.skein.session.ContextView;
import dev.skein.session.Entry;
import dev.skein.session.LoopPointer;
import dev.skein.session.LoopRecord;
import dev.skein.session.Scope;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.session.SessionState;
import dev.skein.store.Appended;
import dev.skein.store.Batch;
import dev.skein.store.SessionGuard;
import dev.skein.store.SessionHandle;
import dev.skein.store.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A session of a [JdbcSessionStore], open. There is nothing to let go of, so closing does nothing.
final class JdbcHandle implements SessionHandle {

    private static final Duration WAIT_MAX = Duration.ofDays(365);

    private final JdbcSessionStore store;
    private final LiveSession session;

    JdbcHandle(JdbcSessionStore store, LiveSession session) {
        this.store = store;
        this.session = session;
    }

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
        store.requireOpen();
        var head = store.heads().require(session.session(), id());
        var state = session.catchUp(head.version());
        return state.named(head.alias(), state.autoname());
    }

    @Override
    public void read(long from, Consumer<Entry> each) {
        session.history().read(Math.max(1, from), version(), each);
    }

    @Override
    public void readAppends(long from, Consumer<List<Entry>> each) {
        session.history().readAppends(Math.max(1, from), version(), each);
    }

    @Override
    public ContextView context(int messagesMax) {
        var state = state();
        return ContextView.of(new TailSource(session.history(), state), state, messagesMax);
    }

    @Override
    public ContextView context(LoopPointer loop, int messagesMax) {
        var state = state();
        return ContextView.from(loop, new TailSource(session.history(), state), state, messagesMax);
    }

    @Override
    public Optional<LoopRecord> loop(LoopPointer pointer) {
        return Optional.ofNullable(new TailSource(session.history(), state()).loop(pointer));
    }

    @Override
    public SessionGuard lock(Duration wait) {
        store.requireOpen();
        var deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(wait.compareTo(WAIT_MAX) < 0 ? wait : WAIT_MAX);
        var pass = session.turnstile().enter(wait);
        try {
            store.requireOpen();
            var lease = store.leases().acquire(session, deadline, wait);
            return guard(pass, lease);
        } catch (RuntimeException e) {
            pass.close();
            throw e;
        }
    }

    private Guard guard(Turnstile.Pass pass, Leases.Lease lease) {
        try {
            session.catchUp(lease.version());
            return new Guard(pass, lease);
        } catch (RuntimeException e) {
            store.leases().release(lease);
            throw e;
        }
    }

    @Override
    public Appended append(List<? extends SessionEvent> events) {
        return appendAlone(List.copyOf(events), null);
    }

    @Override
    public Appended append(Batch batch) {
        return appendAlone(batch.events(), batch);
    }

    /// A turn of one append needs no lease, only that nobody has one: one round trip instead of three.
    private Appended appendAlone(List<SessionEvent> events, @Nullable Batch batch) {
        store.requireOpen();
        try (var _ = session.turnstile().enter(WAIT_DEFAULT)) {
            store.requireOpen();
            var known = session.newest();
            var version = batch != null ? batch.expectedVersion() : known > 0 ? known : version();
            for (var deadline = System.nanoTime() + WAIT_DEFAULT.toNanos(); ; ) {
                try {
                    var appended =
                            store.appender().append(session, batch != null ? batch : Batch.at(version, events), null);
                    if (appended != null) {
                        return appended;
                    }
                    // Another program is in the middle of a turn.
                    store.leases().release(store.leases().acquire(session, deadline, WAIT_DEFAULT));
                } catch (Concurrent e) {
                    if (batch != null || System.nanoTime() > deadline) {
                        throw e;
                    }
                    version = e.current();
                }
            }
        }
    }

    @Override
    public Watch watch(long from) {
        version();
        return new Tail(Math.max(1, from));
    }

    @Override
    public boolean askToStop() {
        store.requireOpen();
        var stop = store.heads().stop(session.session(), id());
        store.tailer().tellStop(session, stop.stops());
        return stop.holder() != null && !store.leases().isMine(stop.holder());
    }

    @Override
    public Cancellation.Registration onStopAsked(Runnable listener) {
        store.requireOpen();
        store.tailer().watch(session);
        try {
            var listening = session.stops().listen(listener, store.heads().stops(session.session(), id()));
            return () -> {
                listening.close();
                store.tailer().unwatch(session);
            };
        } catch (RuntimeException e) {
            store.tailer().unwatch(session);
            throw e;
        }
    }

    @Override
    public void close() {}

    private long version() {
        store.requireOpen();
        return store.heads().require(session.session(), id()).version();
    }

    /// The right to write: this process's turn, and a lease among all.
    private final class Guard implements SessionGuard {
        private final Turnstile.Pass pass;
        private final Leases.Lease lease;
        private final AtomicBoolean open = new AtomicBoolean(true);

        Guard(Turnstile.Pass pass, Leases.Lease lease) {
            this.pass = pass;
            this.lease = lease;
        }

        @Override
        public SessionState state() {
            requireHeld();
            return JdbcHandle.this.state();
        }

        @Override
        public Appended append(List<? extends SessionEvent> events) {
            requireHeld();
            var known = session.known();
            return append(Batch.at(known == null ? version() : known.version(), events));
        }

        @Override
        public Appended append(Batch batch) {
            requireHeld();
            var appended = store.appender().append(session, batch, lease.token());
            if (appended == null) {
                throw new IllegalStateException("an append with a token either happens or fails");
            }
            return appended;
        }

        @Override
        public void close() {
            if (open.compareAndSet(true, false)) {
                try (pass) {
                    store.giveBack(lease);
                }
            }
        }

        private void requireHeld() {
            store.requireOpen();
            if (!open.get()) {
                throw new IllegalStateException("this guard of session " + id() + " was closed");
            }
        }
    }

    /// Hands over one event after the other; whether there are more, the tailer tells.
    private final class Tail implements Watch {
        private static final int PAGE = 500;

        private final java.util.ArrayDeque<Entry> ready = new java.util.ArrayDeque<>();
        private final AtomicBoolean open = new AtomicBoolean(true);
        private long next;

        Tail(long next) {
            this.next = next;
            store.tailer().watch(session);
        }

        @Override
        public Optional<Entry> next(Duration wait) throws InterruptedException {
            var deadline = System.nanoTime() + Math.min(wait.toNanos(), WAIT_MAX.toNanos());
            while (ready.isEmpty()) {
                var alarms = session.alarms();
                fetch();
                var left = deadline - System.nanoTime();
                if (!ready.isEmpty() || left <= 0) {
                    break;
                }
                session.awaitBeyond(next - 1, alarms, left);
            }
            return Optional.ofNullable(ready.poll());
        }

        private void fetch() {
            if (!open.get()) {
                throw new IllegalStateException("this watch of session " + id() + " was closed");
            }
            var version = version();
            if (version >= next) {
                ready.addAll(session.history().range(next, Math.min(version, next + PAGE - 1)));
                next = ready.isEmpty() ? next : ready.getLast().seq() + 1;
            }
        }

        @Override
        public void close() {
            if (open.compareAndSet(true, false)) {
                store.tailer().unwatch(session);
                session.alarm();
            }
        }
    }
}

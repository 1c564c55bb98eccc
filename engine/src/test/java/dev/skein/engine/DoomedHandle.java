package dev.skein.engine;

import dev.skein.session.ContextView;
import dev.skein.session.Entry;
import dev.skein.session.Scope;
import dev.skein.session.SessionId;
import dev.skein.session.SessionState;
import dev.skein.store.Appended;
import dev.skein.store.Batch;
import dev.skein.store.SessionGuard;
import dev.skein.store.SessionHandle;
import dev.skein.store.Watch;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// A session whose process dies at its n-th append: nothing that comes after is written.
///
/// @param death ends the process, or does as if
record DoomedHandle(SessionHandle session, int last, Moment moment, Runnable death, AtomicInteger count)
        implements SessionHandle {

    DoomedHandle(SessionHandle session, int last, Moment moment) {
        this(session, last, moment, () -> {
            throw new Crash();
        });
    }

    DoomedHandle(SessionHandle session, int last, Moment moment, Runnable death) {
        this(session, last, moment, death, new AtomicInteger());
    }

    /// When the process dies.
    enum Moment {
        JUST_BEFORE,
        JUST_AFTER
    }

    /// The end of a process, as far as a test can have it.
    static final class Crash extends RuntimeException {}

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
        return session.context(messagesMax);
    }

    @Override
    public Watch watch(long from) {
        return session.watch(from);
    }

    @Override
    public SessionGuard lock(Duration wait) {
        var guard = session.lock(wait);
        return new SessionGuard() {
            @Override
            public SessionState state() {
                return guard.state();
            }

            @Override
            public Appended append(Batch batch) {
                var number = count.incrementAndGet();
                if (number > last || (number == last && moment == Moment.JUST_BEFORE)) {
                    death.run();
                }
                var appended = guard.append(batch);
                if (number == last) {
                    death.run();
                }
                return appended;
            }

            @Override
            public void close() {
                guard.close();
            }
        };
    }

    @Override
    public void close() {
        session.close();
    }
}

package dev.skein.store.file;

import dev.skein.failure.SessionDamaged;
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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// A session of a [FileSessionStore], open.
final class FileSessionHandle implements SessionHandle {

    private final FileSessionStore store;
    private final SessionTree tree;
    private final LiveSession session;
    private final AtomicBoolean open = new AtomicBoolean(true);

    FileSessionHandle(FileSessionStore store, SessionTree tree, LiveSession session) {
        this.store = store;
        this.tree = tree;
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
        return reading(session::state);
    }

    @Override
    public void read(long from, Consumer<Entry> each) {
        reading(() -> {
            var version = session.refresh().state().version();
            return session.history().read(Math.max(1, from), version, each);
        });
    }

    @Override
    public void readAppends(long from, Consumer<List<Entry>> each) {
        reading(() -> {
            var version = session.refresh().state().version();
            for (var next = Math.max(1, from); next <= version; ) {
                var entries = session.history().appendAt(next);
                if (entries.isEmpty()) {
                    throw new SessionDamaged(id(), "event " + next + " cannot be read");
                }
                each.accept(entries);
                next = entries.getLast().seq() + 1;
            }
            return version;
        });
    }

    @Override
    public ContextView context(int messagesMax) {
        return reading(() -> {
            var snapshot = session.refresh();
            try (var source = new TailSource(session.history(), snapshot)) {
                return ContextView.of(source, snapshot.state(), messagesMax);
            }
        });
    }

    @Override
    public ContextView context(LoopPointer loop, int messagesMax) {
        return reading(() -> {
            var snapshot = session.refresh();
            try (var source = new TailSource(session.history(), snapshot)) {
                return ContextView.from(loop, source, snapshot.state(), messagesMax);
            }
        });
    }

    @Override
    public Optional<LoopRecord> loop(LoopPointer pointer) {
        return reading(() -> {
            var snapshot = session.refresh();
            try (var source = new TailSource(session.history(), snapshot)) {
                return Optional.ofNullable(source.loop(pointer));
            }
        });
    }

    @Override
    public SessionGuard lock(Duration wait) {
        store.requireOpen();
        return tree.writing("lock session " + id(), () -> {
            session.journalStat();
            var pass = enter(wait);
            try {
                session.writer().prepare();
                session.occupancy().startWriting();
                return new Guard(pass, session.writer());
            } catch (IOException | RuntimeException e) {
                pass.close();
                throw e;
            }
        });
    }

    /// Whoever waits for a session that is deleted meanwhile finds no lock file any more.
    private Turnstile.Pass enter(Duration wait) throws IOException {
        try {
            return session.turnstile().enter(wait);
        } catch (NoSuchFileException e) {
            session.journalStat();
            throw e;
        }
    }

    @Override
    public Watch watch(long from) {
        reading(session::refresh);
        return new Tail(Math.max(1, from));
    }

    @Override
    public void close() {
        if (open.compareAndSet(true, false)) {
            tree.writing("close session " + id(), () -> {
                session.occupancy().leave();
                return true;
            });
        }
    }

    private <T> T reading(Committer.Task<T> task) {
        store.requireOpen();
        try {
            return task.run();
        } catch (IOException e) {
            throw Problems.of("read session " + id(), e);
        } catch (UncheckedIOException e) {
            throw Problems.of("read session " + id(), new IOException(e.getMessage(), e));
        }
    }

    /// The right to write, through the session's turnstile.
    private final class Guard implements SessionGuard {
        private final Turnstile.Pass pass;
        private final SessionWriter writer;
        private final AtomicBoolean open = new AtomicBoolean(true);

        Guard(Turnstile.Pass pass, SessionWriter writer) {
            this.pass = pass;
            this.writer = writer;
        }

        @Override
        public SessionState state() {
            requireHeld();
            return reading(session::stateInTurn);
        }

        /// Under which name the session is found does not matter here.
        @Override
        public Appended append(List<? extends SessionEvent> events) {
            requireHeld();
            return append(Batch.at(reading(session::versionInTurn), events));
        }

        @Override
        public Appended append(Batch batch) {
            requireHeld();
            var appended = tree.writing("append to session " + id(), () -> writer.append(batch));
            store.changed(tree, session);
            return appended;
        }

        @Override
        public void close() {
            if (!open.compareAndSet(true, false)) {
                return;
            }
            tree.writing("unlock session " + id(), () -> {
                try (pass) {
                    session.occupancy().doneWriting();
                }
                return true;
            });
        }

        private void requireHeld() {
            store.requireOpen();
            if (!open.get()) {
                throw new IllegalStateException("this guard of session " + id() + " was closed");
            }
        }
    }

    /// Follows the journal: woken by this process's own appends, and by the [Lookout] after those of others.
    private final class Tail implements Watch {

        private final Deque<Entry> ready = new ArrayDeque<>();
        private final AtomicBoolean open = new AtomicBoolean(true);
        private boolean waits;
        private long next;

        Tail(long next) {
            this.next = next;
        }

        @Override
        public Optional<Entry> next(Duration wait) throws InterruptedException {
            var deadline = System.nanoTime() + Math.min(wait.toNanos(), TimeUnit.DAYS.toNanos(365));
            while (ready.isEmpty()) {
                var alarms = session.alarms();
                fetch();
                var left = deadline - System.nanoTime();
                if (!ready.isEmpty() || left <= 0) {
                    break;
                }
                if (isLookedOutFor()) {
                    session.awaitBeyond(next - 1, alarms, left);
                }
            }
            return Optional.ofNullable(ready.poll());
        }

        /// Most only want what is there. If this is the first wait, somebody may have written just before.
        private synchronized boolean isLookedOutFor() {
            if (waits || !open.get()) {
                return true;
            }
            store.lookout.watch(session);
            waits = true;
            return false;
        }

        @Override
        public synchronized void close() {
            if (open.compareAndSet(true, false)) {
                if (waits) {
                    store.lookout.unwatch(session);
                }
                session.alarm();
            }
        }

        private void fetch() {
            if (!open.get()) {
                throw new IllegalStateException("this watch of session " + id() + " was closed");
            }
            reading(() -> {
                var version = session.refresh().state().version();
                if (version >= next) {
                    session.history().read(next, Math.min(version, next + 999), ready::add);
                    next = ready.isEmpty() ? next : ready.getLast().seq() + 1;
                }
                return version;
            });
        }
    }
}

package dev.skein.store.file;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Notices what other processes append to the sessions that are waited for here.
///
/// The system tells when something in a session's directory changes. It may have no place for one more directory, and
/// knows nothing of what other machines write, so one thread also looks at all journals every so often: soon after the
/// system fell silent about a session, or said nothing at all, it is the only one to know. Nothing here reads a
/// journal; who waits is woken and looks.
///
/// Safe for use by many threads.
final class Lookout implements AutoCloseable {

    private static final Duration LOOK_AT_TOLD = Duration.ofSeconds(2);
    private static final Duration LOOK_AT_UNTOLD = Duration.ofMillis(40);
    private static final Duration LOOK_AT_UNTOLD_MAX = Duration.ofMillis(500);

    private final Disk disk;
    private final Map<LiveSession, Watched> watched = new HashMap<>();
    private final Map<WatchKey, LiveSession> told = new HashMap<>();
    private @Nullable WatchService service;
    private boolean started;
    private boolean closed;

    Lookout(Disk disk) {
        this.disk = disk;
    }

    /// A session and how many wait for it.
    private static final class Watched {
        private final Path journal;
        private @Nullable WatchKey key;
        private int count;
        private Disk.@Nullable Stat seen;
        private long pause = LOOK_AT_UNTOLD.toNanos();
        private long nextLook;

        Watched(Path journal) {
            this.journal = journal;
        }
    }

    /// From when this returns until [#unwatch], the session's watchers are woken when its journal changes. Whoever
    /// calls this looks once more before waiting.
    synchronized void watch(LiveSession session) {
        if (closed) {
            return;
        }
        start();
        var each = watched.get(session);
        if (each == null) {
            each = new Watched(session.journal());
            each.key = register(session);
            each.seen = stat(each);
            each.nextLook = System.nanoTime() + pause(each);
            watched.put(session, each);
            if (each.key != null) {
                told.put(each.key, session);
            }
            notifyAll();
        }
        each.count++;
    }

    synchronized void unwatch(LiveSession session) {
        var each = watched.get(session);
        if (each != null && --each.count == 0) {
            watched.remove(session);
            if (each.key != null) {
                told.remove(each.key);
                each.key.cancel();
            }
        }
    }

    @Override
    public void close() {
        List<LiveSession> waiting;
        synchronized (this) {
            closed = true;
            waiting = List.copyOf(watched.keySet());
            watched.clear();
            told.clear();
            notifyAll();
            if (service != null) {
                try {
                    service.close();
                } catch (IOException e) {
                    log().debug("could not stop watching: {}", e.getMessage());
                }
            }
        }
        waiting.forEach(LiveSession::alarm);
    }

    private void start() {
        if (started) {
            return;
        }
        started = true;
        service = disk.watcher();
        Thread.ofPlatform().daemon().name("skein-lookout").start(this::look);
        if (service != null) {
            var listened = service;
            Thread.ofPlatform().daemon().name("skein-lookout-told").start(() -> listen(listened));
        }
    }

    private @Nullable WatchKey register(LiveSession session) {
        if (service == null) {
            return null;
        }
        try {
            return session.directory()
                    .register(service, StandardWatchEventKinds.ENTRY_MODIFY, StandardWatchEventKinds.ENTRY_DELETE);
        } catch (IOException | UnsupportedOperationException | ClosedWatchServiceException e) {
            log().debug(
                            "session {} is looked at, because the system will not watch it: {}",
                            session.id(),
                            e.toString());
            return null;
        }
    }

    private void listen(WatchService from) {
        try {
            while (true) {
                var key = from.take();
                key.pollEvents();
                LiveSession session;
                synchronized (this) {
                    session = told.get(key);
                    if (!key.reset() && session != null) {
                        forgetKey(session, key);
                    }
                }
                if (session != null) {
                    session.alarm();
                }
            }
        } catch (ClosedWatchServiceException | InterruptedException _) {
            // The store was closed.
        }
    }

    /// The directory is gone, so there is nothing to be told about it any more.
    private void forgetKey(LiveSession session, WatchKey key) {
        told.remove(key);
        var each = watched.get(session);
        if (each != null) {
            each.key = null;
        }
    }

    private void look() {
        var due = new ArrayList<LiveSession>();
        while (awaitDue(due)) {
            due.forEach(LiveSession::alarm);
            due.clear();
        }
    }

    /// Waits until journals have changed that nobody told of; false when the store was closed.
    private synchronized boolean awaitDue(List<LiveSession> due) {
        try {
            while (!closed && due.isEmpty()) {
                if (watched.isEmpty()) {
                    wait();
                } else {
                    TimeUnit.NANOSECONDS.timedWait(this, Math.max(1_000_000, lookAtAll(due)));
                }
            }
        } catch (InterruptedException _) {
            return false;
        }
        return !closed;
    }

    /// Looks at what is due, and says how long nothing will be.
    private long lookAtAll(List<LiveSession> due) {
        var now = System.nanoTime();
        var next = LOOK_AT_TOLD.toNanos();
        for (var entry : watched.entrySet()) {
            var each = entry.getValue();
            if (each.nextLook - now <= 0) {
                var seen = stat(each);
                if (!Objects.equals(seen, each.seen)) {
                    each.seen = seen;
                    each.pause = LOOK_AT_UNTOLD.toNanos();
                    due.add(entry.getKey());
                } else {
                    each.pause = Math.min(2 * each.pause, LOOK_AT_UNTOLD_MAX.toNanos());
                }
                each.nextLook = now + pause(each);
            }
            next = Math.min(next, each.nextLook - now);
        }
        return due.isEmpty() ? next : 0;
    }

    private static long pause(Watched each) {
        return each.key == null ? each.pause : LOOK_AT_TOLD.toNanos();
    }

    /// Of a journal that cannot be looked at, the same as of one that is gone; who waits finds out why.
    private Disk.@Nullable Stat stat(Watched each) {
        try {
            return disk.stat(each.journal);
        } catch (IOException _) {
            return null;
        }
    }

    private static Logger log() {
        return LoggerFactory.getLogger(Lookout.class);
    }
}

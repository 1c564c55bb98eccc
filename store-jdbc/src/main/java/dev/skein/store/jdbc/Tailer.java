package dev.skein.store.jdbc;

import dev.skein.failure.SkeinException;
import dev.skein.store.jdbc.sql.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds out what other programs append to the sessions that are watched here, and tells them what is appended
/// here.
///
/// One thread asks for the versions of all watched sessions every so often, because everything else may get lost.
/// On PostgreSQL it also listens to notifications, which only make it quicker. They are sent on their own, many at
/// once: inside the appends they would make these queue for each other.
final class Tailer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Tailer.class);
    private static final String CHANNEL = "skein";
    private static final String STOP = "stop ";
    private static final int ASKED_MAX = 500;
    private static final Duration LOOK_LOCAL = Duration.ofMillis(50);
    private static final Duration LOOK_REMOTE = Duration.ofSeconds(1);
    private static final Duration RECONNECT = Duration.ofMillis(250);

    private final Database database;
    private final Heads heads;
    private final Map<UUID, Watched> watched = new HashMap<>();
    private final Map<UUID, Long> untold = new ConcurrentHashMap<>();
    private final AtomicBoolean listening = new AtomicBoolean();
    private @Nullable Thread thread;
    private boolean closed;

    Tailer(Database database, Heads heads) {
        this.database = database;
        this.heads = heads;
    }

    /// A session and how many watch it.
    private record Watched(LiveSession session, int count) {}

    synchronized void watch(LiveSession session) {
        watched.merge(
                session.session(), new Watched(session, 1), (old, _) -> new Watched(old.session(), old.count() + 1));
        if (thread == null && !closed) {
            thread = Thread.ofPlatform().daemon().name("skein-tailer").start(this::run);
        }
        notifyAll();
    }

    synchronized void unwatch(LiveSession session) {
        watched.computeIfPresent(
                session.session(), (_, old) -> old.count() == 1 ? null : new Watched(old.session(), old.count() - 1));
    }

    /// Whether notifications are being received.
    boolean isListening() {
        return listening.get();
    }

    /// Something was appended here; others are told soon.
    void appended(LiveSession session, long version) {
        if (!database.dialect().isSingleWriter()) {
            untold.merge(session.session(), version, Math::max);
        }
    }

    /// Tells the others. If that gets lost, they find out by themselves.
    void tell() {
        if (untold.isEmpty()) {
            return;
        }
        var lines = new ArrayList<String>();
        for (var session : List.copyOf(untold.keySet())) {
            var version = untold.remove(session);
            if (version != null) {
                lines.add(session + " " + version);
            }
        }
        send(lines);
    }

    /// Somebody wants the end of what runs in this session; who runs it may be anywhere.
    void tellStop(LiveSession session, long stops) {
        session.stops().saw(stops);
        if (!database.dialect().isSingleWriter()) {
            send(List.of(session.session() + " " + STOP + stops));
        }
    }

    private void send(List<String> lines) {
        database.write(
                "notify others",
                link -> link.query(
                        "SELECT pg_notify('" + CHANNEL + "', line)"
                                + database.dialect().relaxed() + ", unnest(string_to_array(?, ',')) AS line",
                        row -> true,
                        String.join(",", lines)));
    }

    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        while (awaitWatched()) {
            try {
                if (database.dialect().isSingleWriter()) {
                    look();
                    LockSupport.parkNanos(LOOK_LOCAL.toNanos());
                } else {
                    listen();
                }
            } catch (SQLException | SkeinException e) {
                listening.set(false);
                LOG.debug("live tails go on by looking: {}", e.getMessage());
                lookQuietly();
                LockSupport.parkNanos(RECONNECT.toNanos());
            } catch (IllegalStateException _) {
                // The store was closed under us; the loop's condition sees it.
                LockSupport.parkNanos(RECONNECT.toNanos());
            }
        }
    }

    private void lookQuietly() {
        try {
            look();
        } catch (SkeinException | IllegalStateException e) {
            LOG.debug("the database does not answer: {}", e.getMessage());
        }
    }

    /// Listens as long as somebody watches and the connection holds.
    private void listen() throws SQLException {
        try (var connection = database.connection()) {
            execute(connection, "LISTEN " + CHANNEL);
            listening.set(true);
            look();
            var looked = System.nanoTime();
            while (isWanted()) {
                var notes = connection.unwrap(PGConnection.class).getNotifications((int) LOOK_REMOTE.toMillis());
                for (var note : notes == null ? new org.postgresql.PGNotification[0] : notes) {
                    heard(note.getParameter());
                }
                if (System.nanoTime() - looked >= LOOK_REMOTE.toNanos()) {
                    look();
                    looked = System.nanoTime();
                }
            }
            execute(connection, "UNLISTEN *");
        } finally {
            listening.set(false);
        }
    }

    private void heard(String line) {
        var parts = line.split(" ", 2);
        if (parts.length == 2) {
            try {
                var stops = parts[1].startsWith(STOP);
                var number = Long.parseLong(stops ? parts[1].substring(STOP.length()) : parts[1]);
                find(UUID.fromString(parts[0])).ifPresent(session -> {
                    if (stops) {
                        session.stops().saw(number);
                    } else {
                        session.saw(number);
                    }
                });
            } catch (IllegalArgumentException _) {
                LOG.debug("a notification that is not ours: {}", line);
            }
        }
    }

    private void look() {
        var sessions = new ArrayList<>(snapshot().values());
        for (int i = 0; i < sessions.size(); i += ASKED_MAX) {
            var some = sessions.subList(i, Math.min(sessions.size(), i + ASKED_MAX));
            var pulses = heads.pulses(some.stream().map(LiveSession::session).toList());
            for (var session : some) {
                var pulse = pulses.get(session.session());
                if (pulse == null) {
                    session.alarm();
                } else {
                    session.saw(pulse.version());
                    session.stops().saw(pulse.stops());
                }
            }
        }
    }

    private synchronized Map<UUID, LiveSession> snapshot() {
        var all = new HashMap<UUID, LiveSession>();
        watched.forEach((id, each) -> all.put(id, each.session()));
        return all;
    }

    private synchronized Optional<LiveSession> find(UUID session) {
        return Optional.ofNullable(watched.get(session)).map(Watched::session);
    }

    private synchronized boolean isWanted() {
        return !closed && !watched.isEmpty();
    }

    /// Waits until there is something to do; false when there never will be again.
    private synchronized boolean awaitWatched() {
        while (!closed && watched.isEmpty()) {
            try {
                wait();
            } catch (InterruptedException _) {
                return false;
            }
        }
        return !closed;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}

package dev.skein.server.connection;

import io.helidon.webserver.http.HttpRouting;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Accepts clients, each of which gets a thread, and goes on whatever happens: when the system has no descriptor for
/// another client, that one waits until there is.
///
/// Made listening. Safe for use by many threads.
public final class Listener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

    /// What the system keeps for a client that does not read. By its own choice it would be megabytes.
    private static final int SEND_BUFFER = 64 * 1024;

    /// Clients that wait to be accepted.
    private static final int QUEUE = 1024;

    private static final Duration LOOK_MAX = Duration.ofSeconds(1);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration GRACE = Duration.ofMillis(500);

    private final ServerSocketChannel server;
    private final InetSocketAddress address;
    private final ListenerRules rules;
    private final Site site;
    private final Semaphore places;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("skein-idle").factory());
    private final Thread acceptor =
            Thread.ofPlatform().daemon(false).name("skein-listener").unstarted(this::accept);

    private Listener(ServerSocketChannel server, ListenerRules rules, HttpRouting.Builder routing) throws IOException {
        this.server = server;
        this.address = (InetSocketAddress) server.getLocalAddress();
        this.rules = rules;
        this.site = Site.of(rules, routing);
        this.places = new Semaphore(rules.connections());
    }

    /// Begins to listen there.
    ///
    /// @throws IOException if nobody may
    public static Listener open(InetSocketAddress address, ListenerRules rules, HttpRouting.Builder routing)
            throws IOException {
        if (address.isUnresolved()) {
            throw new IOException("there is no host of this name");
        }
        var server = ServerSocketChannel.open();
        try {
            server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            server.bind(address, QUEUE);
            var listener = new Listener(server, rules, routing);
            listener.start();
            return listener;
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private void start() {
        site.router().beforeStart();
        acceptor.start();
        var period = Math.clamp(rules.idle().toMillis() / 2, 1, LOOK_MAX.toMillis());
        var _ = clock.scheduleWithFixedDelay(this::look, period, period, TimeUnit.MILLISECONDS);
    }

    public int port() {
        return address.getPort();
    }

    private void accept() {
        var starved = false;
        while (takePlace()) {
            var begun = false;
            try {
                begun = begin(server.accept());
                starved = false;
            } catch (ClosedChannelException _) {
                return;
            } catch (IOException | Error e) {
                if (!starved) {
                    starved = true;
                    warn("no connection can be accepted for now", e);
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            } finally {
                if (!begun) {
                    places.release();
                }
            }
        }
    }

    /// Whoever accepts or looks after connections goes on, whether or not there is memory to tell what happened.
    private static void warn(String what, Throwable e) {
        try {
            LOG.warn(what, e);
        } catch (OutOfMemoryError _) {
            // Then nobody is told.
        }
    }

    private boolean takePlace() {
        try {
            places.acquire();
            return true;
        } catch (InterruptedException _) {
            // Only by close.
            return false;
        }
    }

    /// Whether the connection runs: then it has its place until it is over.
    private boolean begin(SocketChannel client) throws IOException {
        var begun = false;
        try {
            client.setOption(StandardSocketOptions.TCP_NODELAY, true);
            client.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER);
            begun = run(new Connection(client, site, this::over));
        } catch (IOException | RuntimeException e) {
            LOG.debug("a client went away at once", e);
        } finally {
            if (!begun) {
                client.close();
            }
        }
        return begun;
    }

    private boolean run(Connection connection) {
        var runs = false;
        connections.add(connection);
        try {
            connection.start();
            runs = true;
        } finally {
            if (!runs) {
                connections.remove(connection);
            }
        }
        return runs;
    }

    private void over(Connection connection) {
        connections.remove(connection);
        places.release();
    }

    private void look() {
        try {
            connections.forEach(each -> each.finishIfIdle(rules.idle()));
        } catch (RuntimeException | Error e) {
            warn("idle connections are not ended", e);
        }
    }

    /// Accepts nobody any more, lets requests come to their end for a moment, and then ends everything.
    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            LOG.warn("the listening socket was not closed: {}", e.getMessage());
        }
        acceptor.interrupt();
        connections.forEach(Connection::finish);
        if (!isDeserted()) {
            connections.forEach(Connection::stop);
            isDeserted();
        }
        clock.shutdownNow();
        site.executor().shutdownNow();
        site.router().afterStop();
    }

    private boolean isDeserted() {
        try {
            return places.tryAcquire(rules.connections(), GRACE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

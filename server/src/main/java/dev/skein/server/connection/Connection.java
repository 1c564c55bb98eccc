package dev.skein.server.connection;

import io.helidon.webserver.CloseConnectionException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One client: first its requests, then perhaps the [Sequel] of the last of them, in a thread that has never been
/// deeper than that needs.
///
/// Safe for use by many threads.
final class Connection {

    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    private final ClientSocket socket;
    private final Consumer<Connection> whenOver;
    private @Nullable Requests requests;
    private @Nullable Thread thread;
    private boolean stopped;

    /// `whenOver` hears when the socket is closed.
    Connection(SocketChannel channel, Site site, Consumer<Connection> whenOver) throws IOException {
        this.socket = new ClientSocket(channel, site.sending());
        this.whenOver = whenOver;
        this.requests = new Requests(site, socket, (InetSocketAddress) channel.getRemoteAddress(), (InetSocketAddress)
                channel.getLocalAddress());
    }

    void start() {
        var first = requests();
        if (first != null) {
            run("skein-connection", () -> answer(first));
        }
    }

    private synchronized @Nullable Requests requests() {
        return requests;
    }

    private synchronized void run(String name, Runnable work) {
        thread = Thread.ofVirtual().name(name).start(work);
        if (stopped) {
            thread.interrupt();
        }
    }

    private void answer(Requests first) {
        var goesOn = false;
        try {
            var sequel = sequel(first);
            if (sequel != null) {
                // They keep the request, and what goes on may be all there is of this connection for hours.
                forgetRequests();
                goesOn = true;
                goOn(sequel);
            }
        } finally {
            if (!goesOn) {
                end();
            }
        }
    }

    private void goOn(Sequel sequel) {
        try {
            run("skein-stream", () -> tell(sequel));
        } catch (OutOfMemoryError _) {
            // What is held for it is let go of only at its end.
            tell(sequel);
        }
    }

    private synchronized void forgetRequests() {
        requests = null;
    }

    private void tell(Sequel sequel) {
        try {
            sequel.run(new ChunkedOut(socket));
        } catch (RuntimeException e) {
            LOG.warn("a stream ended unexpectedly", e);
        } finally {
            end();
        }
    }

    private static @Nullable Sequel sequel(Requests first) {
        try {
            return first.serve();
        } catch (CloseConnectionException | UncheckedIOException _) {
            // The client is gone, or has to go.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn("a connection ended unexpectedly", e);
        }
        return null;
    }

    private void end() {
        try {
            socket.close();
        } catch (UncheckedIOException _) {
            // The client was faster.
        } finally {
            whenOver.accept(this);
        }
    }

    /// Ends it if the client has been silent for so long between two requests.
    void finishIfIdle(Duration most) {
        var waiting = requests();
        if (waiting != null && waiting.isIdle(most)) {
            waiting.finish();
        }
    }

    /// Takes no more requests. What is being answered is answered.
    void finish() {
        var answering = requests();
        if (answering != null) {
            answering.finish();
        }
    }

    /// Ends whatever it does.
    synchronized void stop() {
        stopped = true;
        if (thread != null) {
            thread.interrupt();
        }
    }
}

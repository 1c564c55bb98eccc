package dev.skein.server.connection;

import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.concurrency.limits.FixedLimit;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.socket.PeerInfo;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.Router;
import io.helidon.webserver.spi.ServerConnection;
import java.net.InetSocketAddress;
import java.security.Principal;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/// The requests of one client, one after another, as the web server reads and answers them.
final class Requests implements ConnectionContext {

    private static final Limit UNLIMITED = FixedLimit.create();

    private final Site site;
    private final ClientSocket socket;
    private final Peer remote;
    private final Peer local;
    private final ClientLine line;
    private final DataReader reader;
    private final ServerConnection http;

    Requests(Site site, ClientSocket socket, InetSocketAddress remote, InetSocketAddress local) {
        this.site = site;
        this.socket = socket;
        this.remote = new Peer(remote);
        this.local = new Peer(local);
        this.line = new ClientLine(socket);
        this.reader = new ClientLines(line);
        this.http = site.http().connection(this);
    }

    /// One end of the connection.
    private record Peer(InetSocketAddress address) implements PeerInfo {

        @Override
        public String host() {
            return address.getHostString();
        }

        @Override
        public int port() {
            return address.getPort();
        }

        @Override
        public Optional<Principal> tlsPrincipal() {
            return Optional.empty();
        }

        @Override
        public Optional<Certificate[]> tlsCertificates() {
            return Optional.empty();
        }
    }

    /// Answers them until the client sends no more, or has to go.
    ///
    /// @return what is still to be told when the last one is over, if anything is
    @Nullable
    Sequel serve() throws InterruptedException {
        try {
            ScopedValue.where(ClientLine.CURRENT, line).<Void, InterruptedException>call(() -> {
                http.handle(UNLIMITED);
                return null;
            });
            return null;
        } catch (Detached detached) {
            return detached.sequel();
        }
    }

    /// Takes no more requests. The one that is being answered is answered.
    void finish() {
        http.close(false);
    }

    /// Whether the client has been silent for so long although it is its turn.
    boolean isIdle(Duration most) {
        return http instanceof InterruptableTask<?> reading
                && reading.canInterrupt()
                && http.idleTime().compareTo(most) > 0;
    }

    @Override
    public ListenerContext listenerContext() {
        return site;
    }

    @Override
    public ExecutorService executor() {
        return site.executor();
    }

    @Override
    public DataWriter dataWriter() {
        return socket;
    }

    @Override
    public DataReader dataReader() {
        return reader;
    }

    @Override
    public Router router() {
        return site.router();
    }

    @Override
    public PeerInfo remotePeer() {
        return remote;
    }

    @Override
    public PeerInfo localPeer() {
        return local;
    }

    @Override
    public boolean isSecure() {
        return false;
    }

    @Override
    public String socketId() {
        return Integer.toString(local.port());
    }

    @Override
    public String childSocketId() {
        return remote.host() + ":" + remote.port();
    }
}

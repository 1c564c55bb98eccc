package dev.skein.server.connection;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Connections of the web server that read through a [ClientLine], which their requests find there.
public final class WatchedConnections implements ServerConnectionSelector {

    private final Http1ConnectionSelector http;

    public WatchedConnections(Http1Config config) {
        this.http = Http1ConnectionSelector.builder().config(config).build();
    }

    @Override
    public int bytesToIdentifyConnection() {
        return http.bytesToIdentifyConnection();
    }

    @Override
    public Support supports(BufferData data) {
        return http.supports(data);
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
        return http.supportedApplicationProtocols();
    }

    @Override
    public ServerConnection connection(ConnectionContext context) {
        var line = new ClientLine(context.serverSocket());
        return new Watched(http.connection(new WatchedContext(context, line)), line, context.dataWriter());
    }

    /// First the web server's connection, then perhaps the [Sequel] of its last request.
    private static final class Watched implements ServerConnection, InterruptableTask<Void> {

        private final ClientLine line;
        private final DataWriter out;
        private volatile @Nullable ServerConnection http;
        private volatile @Nullable Thread after;

        Watched(ServerConnection http, ClientLine line, DataWriter out) {
            this.http = http;
            this.line = line;
            this.out = out;
        }

        @Override
        public void handle(Limit limit) throws InterruptedException {
            var sequel = serve(limit);
            if (sequel != null) {
                after = Thread.currentThread();
                // It keeps the request, which may be all there is of this connection for hours.
                http = null;
                sequel.run(new ChunkedOut(out));
            }
        }

        private @Nullable Sequel serve(Limit limit) throws InterruptedException {
            var requests = Objects.requireNonNull(http);
            try {
                ScopedValue.where(ClientLine.CURRENT, line).<Void, InterruptedException>call(() -> {
                    requests.handle(limit);
                    return null;
                });
                return null;
            } catch (Detached detached) {
                return detached.sequel();
            }
        }

        @Override
        public Duration idleTime() {
            var requests = http;
            return requests == null ? Duration.ZERO : requests.idleTime();
        }

        @Override
        public void close(boolean interrupt) {
            var requests = http;
            var thread = after;
            if (requests != null) {
                requests.close(interrupt);
            } else if (interrupt && thread != null) {
                thread.interrupt();
            }
        }

        @Override
        public boolean canInterrupt() {
            return http instanceof InterruptableTask<?> task && task.canInterrupt();
        }
    }
}

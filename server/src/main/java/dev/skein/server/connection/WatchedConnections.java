package dev.skein.server.connection;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.time.Duration;
import java.util.Set;

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
        return new Watched(http.connection(new WatchedContext(context, line)), line);
    }

    private record Watched(ServerConnection http, ClientLine line)
            implements ServerConnection, InterruptableTask<Void> {

        @Override
        public void handle(Limit limit) throws InterruptedException {
            ScopedValue.where(ClientLine.CURRENT, line).<Void, InterruptedException>call(() -> {
                http.handle(limit);
                return null;
            });
        }

        @Override
        public Duration idleTime() {
            return http.idleTime();
        }

        @Override
        public void close(boolean interrupt) {
            http.close(interrupt);
        }

        @Override
        public boolean canInterrupt() {
            return http instanceof InterruptableTask<?> task && task.canInterrupt();
        }
    }
}

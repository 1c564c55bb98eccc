package dev.skein.server.gate;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.skein.server.connection.WatchedConnections;
import dev.skein.session.Ids;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http1.Http1Config;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/// What is settled before a request is one: sizes, times and the number of connections.
final class SocketRules {

    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final int CONNECTIONS_MIN = 16;
    private static final int CONNECTIONS_MAX = 100_000;

    private SocketRules() {}

    static void apply(WebServerConfig.Builder server, GateOptions options, SlowClients slow, Ids ids) {
        var sizes = options.sizes();
        server.addConnectionSelector(new WatchedConnections(Http1Config.builder()
                        .maxPrologueLength(sizes.line())
                        .maxHeadersSize(sizes.headerBytes())
                        .addReceiveListener(slow)
                        .build()))
                // With a second candidate a connection that says nothing would wait for its first byte for ever.
                .protocolsDiscoverServices(false)
                .maxPayloadSize(sizes.body())
                .idleConnectionTimeout(options.idle())
                .idleConnectionPeriod(LOOK)
                .maxTcpConnections(connections(options))
                .directHandlers(DirectErrors.handlers(ids));
    }

    /// The web server stops listening for good when it cannot accept for want of file descriptors. So it accepts only
    /// as many connections as leave half of the descriptors to everything else; others wait in the system's queue.
    static int connections(GateOptions options) {
        var most = options.connections() > 0 ? options.connections() : CONNECTIONS_MAX;
        if (!(ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix)) {
            return most;
        }
        var left = unix.getMaxFileDescriptorCount() - unix.getOpenFileDescriptorCount();
        return Math.clamp(left / 2, CONNECTIONS_MIN, most);
    }
}

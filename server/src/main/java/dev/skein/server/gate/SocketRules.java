package dev.skein.server.gate;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.skein.server.connection.ListenerRules;
import dev.skein.session.Ids;
import io.helidon.webserver.http1.Http1Config;
import java.lang.management.ManagementFactory;

/// What is settled before a request is one: sizes, times and the number of connections.
final class SocketRules {

    private static final int CONNECTIONS_MIN = 16;
    private static final int CONNECTIONS_MAX = 100_000;
    private static final int DESCRIPTORS_LEFT = 64;

    private SocketRules() {}

    static ListenerRules of(GateOptions options, SlowClients slow, Ids ids) {
        var sizes = options.sizes();
        return new ListenerRules(
                Http1Config.builder()
                        .maxPrologueLength(sizes.line())
                        .maxHeadersSize(sizes.headerBytes())
                        .addReceiveListener(slow)
                        .build(),
                sizes.body(),
                DirectErrors.handlers(ids),
                options.idle(),
                slow::sending,
                connections(options));
    }

    /// So many that a fourth of the descriptors is left to everything else: a server full of clients that cannot open a
    /// journal is of no use to any of them.
    static int connections(GateOptions options) {
        var most = options.connections() > 0 ? options.connections() : CONNECTIONS_MAX;
        if (!(ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix)) {
            return most;
        }
        var free = unix.getMaxFileDescriptorCount() - unix.getOpenFileDescriptorCount();
        return Math.clamp(free - Math.max(DESCRIPTORS_LEFT, free / 4), CONNECTIONS_MIN, most);
    }
}

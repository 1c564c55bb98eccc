package dev.skein.server.gate;

import dev.skein.server.limit.Rate;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Set;

/// What the gate lets through.
///
/// @param hosts names under which the server is reached, besides the loopback ones; with or without a port
/// @param origins pages of other sites that may ask, as `https://example.org`
/// @param proxies whose `X-Forwarded-For` is believed
/// @param rate of one caller
/// @param failures of one address, without a valid key
/// @param atOnceEach requests and streams of one caller
/// @param atOnce requests and streams of all callers
/// @param slow how long a client may take for the headers, and without progress for everything else
/// @param idle how long a connection may be silent between requests
/// @param connections how many at most; 0 for what the system allows
public record GateOptions(
        Set<String> hosts,
        Set<String> origins,
        Set<InetAddress> proxies,
        Rate rate,
        Rate failures,
        int atOnceEach,
        int atOnce,
        Sizes sizes,
        Duration slow,
        Duration idle,
        int connections) {

    /// How large the parts of a request may be.
    ///
    /// @param body in bytes
    /// @param headers how many
    /// @param headerBytes all of them together
    /// @param line the first line of a request, in bytes
    public record Sizes(long body, int headers, int headerBytes, int line) {

        public static final Sizes STANDARD = new Sizes(1024 * 1024, 64, 16 * 1024, 8 * 1024);
    }

    public static final GateOptions STANDARD = new GateOptions(
            Set.of(),
            Set.of(),
            Set.of(),
            new Rate(20, 100),
            new Rate(1, 20),
            64,
            4_096,
            Sizes.STANDARD,
            Duration.ofSeconds(8),
            Duration.ofSeconds(8),
            0);

    public GateOptions {
        hosts = Set.copyOf(hosts);
        origins = Set.copyOf(origins);
        proxies = Set.copyOf(proxies);
    }

    public GateOptions withHosts(Set<String> newHosts, Set<String> newOrigins, Set<InetAddress> newProxies) {
        return new GateOptions(
                newHosts, newOrigins, newProxies, rate, failures, atOnceEach, atOnce, sizes, slow, idle, connections);
    }

    public GateOptions withRates(Rate each, Rate failed) {
        return new GateOptions(
                hosts, origins, proxies, each, failed, atOnceEach, atOnce, sizes, slow, idle, connections);
    }

    public GateOptions withAtOnce(int each, int all) {
        return new GateOptions(hosts, origins, proxies, rate, failures, each, all, sizes, slow, idle, connections);
    }

    public GateOptions withTimes(Duration newSlow, Duration newIdle) {
        return new GateOptions(
                hosts, origins, proxies, rate, failures, atOnceEach, atOnce, sizes, newSlow, newIdle, connections);
    }

    public GateOptions withSizes(Sizes newSizes) {
        return new GateOptions(
                hosts, origins, proxies, rate, failures, atOnceEach, atOnce, newSizes, slow, idle, connections);
    }
}

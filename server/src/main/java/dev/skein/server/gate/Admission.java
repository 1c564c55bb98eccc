package dev.skein.server.gate;

import dev.skein.server.auth.Authentication;
import dev.skein.server.auth.Caller;
import dev.skein.server.limit.AtOnce;
import dev.skein.server.limit.RateLimit;
import dev.skein.server.metrics.Meters.Reason;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerRequestHeaders;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HexFormat;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Who asks, what they may, how often and how many at once.
final class Admission {

    private static final String EVERYBODY = "";
    private static final int NETWORK_BYTES = 8;
    private static final Duration SOON = Duration.ofSeconds(1);

    private final Authentication authentication;
    private final RateLimit rate;
    private final RateLimit failures;
    private final AtOnce each;
    private final AtOnce all;

    Admission(GateOptions options, Authentication authentication, LongSupplier nanos) {
        this.authentication = authentication;
        this.rate = new RateLimit(options.rate(), nanos);
        this.failures = new RateLimit(options.failures(), nanos);
        this.each = new AtOnce(options.atOnceEach());
        this.all = new AtOnce(options.atOnce());
    }

    /// Held until the request is answered.
    record Pass(@Nullable Caller caller, AtOnce.Place mine, AtOnce.Place ours) implements AutoCloseable {

        private static final Pass OPEN = new Pass(null, () -> {}, () -> {});

        @Override
        public void close() {
            mine.close();
            ours.close();
        }
    }

    void change(GateOptions options) {
        rate.change(options.rate());
        failures.change(options.failures());
        each.change(options.atOnceEach());
        all.change(options.atOnce());
    }

    /// @throws Refusal if the request goes no further
    Pass admit(ServerRequestHeaders headers, RouteRule rule, String remote) {
        switch (rule.access()) {
            case PROBE -> {
                return Pass.OPEN;
            }
            case OPEN -> {
                limit("address " + network(remote));
                return Pass.OPEN;
            }
            case CALLERS -> {}
        }
        var caller = caller(headers, remote);
        limit("subject " + caller.subject());
        var grant = rule.grant();
        if (grant != null && !caller.may(grant)) {
            throw Refusal.needs(grant.wire());
        }
        var mine = each.enter(caller.subject()).orElseThrow(() -> Refusal.atOnce(SOON));
        var ours = all.enter(EVERYBODY);
        if (ours.isEmpty()) {
            mine.close();
            throw Refusal.busy(SOON);
        }
        return new Pass(caller, mine, ours.get());
    }

    /// Whether this address was not refused often of late.
    boolean isFirstOfFew(String remote) {
        return failures.take(network(remote)).isEmpty();
    }

    private void limit(String who) {
        rate.take(who).ifPresent(wait -> {
            throw Refusal.often(wait);
        });
    }

    /// Whoever has one address of the new sort has a whole network of them.
    static String network(String remote) {
        if (remote.indexOf(':') < 0) {
            return remote;
        }
        try {
            var bytes = InetAddress.ofLiteral(remote).getAddress();
            return HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, NETWORK_BYTES));
        } catch (IllegalArgumentException _) {
            return remote;
        }
    }

    /// A good key counts however many bad ones come from the same address: others may be behind it.
    private Caller caller(ServerRequestHeaders headers, String remote) {
        var sent = headers.contains(HeaderNames.AUTHORIZATION);
        // A second header might be read by somebody else than the first.
        return authentication
                .caller(Provenance.single(headers, HeaderNames.AUTHORIZATION))
                .orElseThrow(() -> failures.take(network(remote))
                        .map(Refusal::often)
                        .orElseGet(() -> Refusal.unauthorized(sent ? Reason.BAD_KEY : Reason.NO_KEY)));
    }
}

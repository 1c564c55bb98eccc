package dev.skein.cli.serve;

import dev.skein.cli.program.ReloadSignal;
import dev.skein.cli.settings.Settings;
import dev.skein.redaction.Redaction;
import dev.skein.server.RouteRules;
import dev.skein.server.audit.AuditLog;
import dev.skein.server.auth.Door;
import dev.skein.server.auth.JwtAuthentication;
import dev.skein.server.gate.Gate;
import dev.skein.server.gate.ServerSettings;
import dev.skein.server.health.Health;
import dev.skein.server.metrics.Meters;
import dev.skein.server.trace.Traces;
import dev.skein.session.Ids;
import dev.skein.store.ListQuery;
import dev.skein.store.SessionStore;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/// The gate of the server with all it works with, as the settings have it. Reads settings and keys again on SIGHUP.
final class Entrance implements AutoCloseable {

    private static final Duration STORE_PATIENCE = Duration.ofSeconds(2);

    /// An owner that cannot be: asking for its sessions costs the store little.
    private static final String NOBODY = "healthz";

    private final Gate gate;
    private final Meters meters = new Meters();
    private final AuditLog audit;
    private final Traces traces;
    private final ReloadSignal reload;
    private volatile Runnable besides = () -> {};

    Entrance(
            Path home,
            ServerSettings settings,
            SessionStore store,
            Redaction redaction,
            Ids ids,
            Map<String, String> env,
            Supplier<Settings> again) {
        var authentication = Door.open(
                InetAddress.ofLiteral(settings.host()),
                settings.lock(),
                Door.Places.in(home),
                settings.jwt().map(jwt -> new JwtAuthentication(jwt, Clock.systemUTC())),
                new SecureRandom());
        audit = AuditLog.open(
                home.resolve("audit.log"), AuditLog.Options.STANDARD, redaction, Clock.systemUTC(), meters::auditLost);
        traces = Traces.fromEnvironment(env);
        var health =
                new Health(() -> store.list(ListQuery.ofOwner(NOBODY).withLimit(1)), STORE_PATIENCE, System::nanoTime);
        gate = new Gate(
                settings.gate(), new Gate.Parts(authentication, meters, audit, health, traces), new RouteRules(), ids);
        reload = ReloadSignal.runs(() -> {
            gate.reload(again.get().serverIfSound().gate());
            besides.run();
        });
    }

    /// What else is read again.
    void alsoReloads(Runnable more) {
        besides = more;
    }

    Gate gate() {
        return gate;
    }

    Meters meters() {
        return meters;
    }

    @Override
    public void close() {
        reload.close();
        traces.close();
        audit.close();
        meters.close();
    }
}

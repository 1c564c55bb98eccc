package dev.skein.cli.serve;

import static java.util.Objects.requireNonNullElse;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.Program;
import dev.skein.engine.Timers;
import dev.skein.failure.StorageFailed;
import dev.skein.redaction.Redaction;
import dev.skein.server.CannotListen;
import dev.skein.server.Server;
import dev.skein.server.audit.JsonLogs;
import dev.skein.server.auth.Door;
import dev.skein.server.gate.ServerSettings;
import dev.skein.server.setup.Backend;
import dev.skein.server.setup.ServerOptions;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `skein serve`
@Command(name = "serve", description = "Offer sessions and agents over HTTP, until told to stop.")
public final class ServeCommand implements Runnable {

    /// Kept, because the JDK forgets the level of a logger that nobody keeps.
    private static final Logger HELIDON = Logger.getLogger("io.helidon");

    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

    private final Program program;

    @Option(names = "--port", paramLabel = "N", description = "Where to listen; 0 for any free port (default: 3400).")
    private @Nullable Integer port;

    @Option(names = "--bind", paramLabel = "A", description = "On which address (default: 127.0.0.1).")
    private @Nullable String bind;

    @Option(
            names = "--drain",
            paramLabel = "SECONDS",
            description = "How long runs may go on when told to stop (default: 30).")
    private @Nullable Integer drainSeconds;

    public ServeCommand(Program program) {
        this.program = program;
    }

    @Override
    public void run() {
        HELIDON.setLevel(Level.WARNING);
        program.openToMany();
        var settings = settings();
        var backend = backend();
        var redaction = program.ai().app().settings().redaction();
        logAsJson(redaction);
        var entrance = new Entrance(
                program.home(),
                settings,
                backend.store(),
                redaction,
                backend.ids(),
                program.environment(),
                program::settings);
        var options = ServerOptions.standard()
                .on(settings.host(), settings.port())
                .withBodyMax((int)
                        Math.min(Integer.MAX_VALUE - 8, settings.gate().sizes().body()))
                .withRequestTime(settings.request())
                .withDrainTime(settings.drain())
                .withChannels(settings.channels());
        var server = started(backend, options, entrance);
        entrance.alsoReloads(server::reload);
        entrance.meters().mcpPoolSize(program.ai().mcp()::running);
        var stopping = Thread.ofPlatform().name("skein-stopping").unstarted(() -> {
            server.close();
            entrance.close();
            program.close();
        });
        Runtime.getRuntime().addShutdownHook(stopping);
        tell("http://" + settings.host() + ":" + server.port());
        untilStopped();
    }

    /// The token goes to a person's screen only: what is written into a pipe ends up in a log.
    private void tell(String address) {
        var terminal = program.terminal();
        var token = Door.Places.in(program.home()).localToken();
        terminal.line("listening on " + address);
        if (terminal.isInteractive()) {
            terminal.note("the token is in " + terminal.stored(token.toString()));
            terminal.note("the web page is at " + address + "/#token=" + secret(token));
        } else {
            LOG.info("listening on {}; the token is in {}", address, token);
        }
        terminal.flush();
    }

    private static String secret(Path token) {
        try {
            return Files.readString(token).strip();
        } catch (IOException e) {
            throw StorageFailed.io("read " + token, e);
        }
    }

    /// What the command line says counts before the file.
    private ServerSettings settings() {
        var file = program.settings().serverIfSound();
        if ((port != null && (port < 0 || port > 65_535)) || (drainSeconds != null && drainSeconds < 0)) {
            throw CommandFailure.usage("--port must be between 0 and 65535, and --drain not negative");
        }
        try {
            return new ServerSettings(
                    bind == null ? file.host() : InetAddress.ofLiteral(bind).getHostAddress(),
                    requireNonNullElse(port, file.port()),
                    file.lock(),
                    file.gate(),
                    file.jwt(),
                    file.request(),
                    drainSeconds == null ? file.drain() : Duration.ofSeconds(drainSeconds),
                    file.channels());
        } catch (IllegalArgumentException _) {
            throw CommandFailure.usage("--bind is an address such as 127.0.0.1, not '" + bind + "'");
        }
    }

    private static Server started(Backend backend, ServerOptions options, Entrance entrance) {
        try {
            return Server.start(backend, options, entrance.gate());
        } catch (CannotListen e) {
            entrance.close();
            throw CommandFailure.cannotListen(e.getMessage() + "; choose another --port, or stop what listens there");
        }
    }

    /// From here on a machine reads what is logged more often than a person does.
    private void logAsJson(Redaction redaction) {
        var level = program.variable("SKEIN_LOG").orElse("INFO");
        JsonLogs.install(new FileOutputStream(FileDescriptor.err), level, redaction);
    }

    private Backend backend() {
        var ai = program.ai();
        return new Backend(
                ai.app(),
                ai.engine(),
                program.forgetfulStore(),
                new ExportFormats(),
                new McpPools(ai.mcp()),
                new RagDocuments(ai.rags()),
                program.schedules(),
                ai.ids(),
                Clock.systemUTC(),
                Timers.daemon(),
                Objects.requireNonNullElse(ServeCommand.class.getPackage().getImplementationVersion(), "development"));
    }

    /// The process ends while this waits.
    private static void untilStopped() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}

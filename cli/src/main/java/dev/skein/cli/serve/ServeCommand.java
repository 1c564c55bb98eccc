package dev.skein.cli.serve;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.Program;
import dev.skein.engine.Timers;
import dev.skein.server.BearerFilter;
import dev.skein.server.Server;
import dev.skein.server.setup.Backend;
import dev.skein.server.setup.ServerOptions;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `skein serve`
@Command(name = "serve", description = "Offer sessions and agents over HTTP, until told to stop.")
public final class ServeCommand implements Runnable {

    /// Kept, because the JDK forgets the level of a logger that nobody keeps.
    private static final Logger HELIDON = Logger.getLogger("io.helidon");

    private final Program program;

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "Where to listen; 0 for any free port (default: " + ServerOptions.PORT + ").")
    private int port = ServerOptions.PORT;

    @Option(names = "--bind", paramLabel = "A", description = "On which address (default: 127.0.0.1).")
    private String bind = "127.0.0.1";

    @Option(
            names = "--drain",
            paramLabel = "SECONDS",
            description = "How long runs may go on when told to stop (default: 20).")
    private int drainSeconds = 20;

    public ServeCommand(Program program) {
        this.program = program;
    }

    @Override
    public void run() {
        HELIDON.setLevel(Level.WARNING);
        if (port < 0 || port > 65_535 || drainSeconds < 0) {
            throw CommandFailure.usage("--port must be between 0 and 65535, and --drain not negative");
        }
        var options = ServerOptions.standard().on(bind, port).withDrainTime(Duration.ofSeconds(drainSeconds));
        var backend = backend();
        var token = LocalToken.in(program.home());
        var server = started(backend, options, token);
        var stopping = Thread.ofPlatform().name("skein-stopping").unstarted(() -> {
            server.close();
            program.close();
        });
        Runtime.getRuntime().addShutdownHook(stopping);
        tell("http://" + bind + ":" + server.port(), token);
        untilStopped();
    }

    /// The token goes to a person's screen only: what is written into a pipe ends up in a log.
    private void tell(String address, LocalToken token) {
        var terminal = program.terminal();
        terminal.line("listening on " + address);
        terminal.note("the token is in " + terminal.stored(token.file().toString()));
        if (terminal.isInteractive()) {
            terminal.note("the web page is at " + address + "/#token=" + token.secret());
        }
        terminal.flush();
    }

    private Server started(Backend backend, ServerOptions options, LocalToken token) {
        try {
            return Server.start(backend, options, List.of(new BearerFilter(token, backend.ids())));
        } catch (UncheckedIOException | IllegalStateException e) {
            throw CommandFailure.usage("cannot listen on " + options.bind() + ":" + options.port() + " ("
                    + e.getMessage() + "); choose another --port");
        }
    }

    private Backend backend() {
        var ai = program.ai();
        return new Backend(
                ai.app(),
                ai.engine(),
                program.forgetfulStore(),
                new ExportFormats(),
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

package dev.skein.cli.mcp;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.failure.Cancelled;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.oauth.Callback;
import dev.skein.tools.mcp.wire.McpFailure;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `skein mcp login`
@Command(name = "login", description = "Log in to a server over HTTP, in your browser.")
final class LogIn implements Runnable {

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Program program;

    @Parameters(paramLabel = "NAME", description = "The name of the server.")
    private String name = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    LogIn(Program program) {
        this.program = program;
    }

    @Override
    public void run() {
        try (var mcp = program.mcp();
                var callback = new Callback(this::show, PATIENCE)) {
            var server = Visit.named(mcp, name);
            if (!(server.reach() instanceof McpServer.Reach.Web web) || web.isKnown()) {
                throw CommandFailure.usage("there is no need to log in to '" + name
                        + "': it is a program here, or is sent credentials that mcp.json has");
            }
            var title = mcp.login(server, callback);
            if (json.wanted()) {
                program.answer(Map.of("server", title, "logged_in", name));
            } else {
                program.terminal().line(program.terminal().stored("'" + name + "' lets us in: " + title));
            }
        } catch (McpFailure e) {
            throw CommandFailure.serverFailed(String.valueOf(e.getMessage()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Cancelled("interrupted");
        }
    }

    private void show(URI authorization) {
        program.terminal().note("open this in your browser, and say yes there:");
        program.terminal().note(program.terminal().stored(authorization.toString()));
    }
}

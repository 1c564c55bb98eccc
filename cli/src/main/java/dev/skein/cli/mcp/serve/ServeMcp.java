package dev.skein.cli.mcp.serve;

import dev.skein.cli.program.Program;
import dev.skein.failure.Cancelled;
import dev.skein.tools.mcp.server.ServerFacts;
import dev.skein.tools.mcp.server.StdioServer;
import java.io.BufferedOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Command;

/// `skein mcp serve`
@Command(
        name = "serve",
        description = "Offer sessions to an MCP client over standard input and output, until it closes them.")
public final class ServeMcp implements Runnable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String INSTRUCTIONS =
            "Skein keeps conversations with agents as sessions that are never lost. List, search and read them, or"
                    + " prompt one: an agent of its own, with its own tools, answers in it. What needs a person's yes"
                    + " waits until one says it with 'skein session approve'.";

    private final Program program;

    public ServeMcp(Program program) {
        this.program = program;
    }

    /// Standard output belongs to the protocol: whatever else is printed goes beside it.
    @Override
    public void run() {
        var printed = System.out;
        System.setOut(System.err);
        try {
            var streams = program.terminal().streams();
            var out = new BufferedOutputStream(streams.out());
            new StdioServer(facts(), out, this::mishap).serve(streams.in(), PATIENCE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Cancelled("interrupted");
        } finally {
            System.setOut(printed);
        }
    }

    private ServerFacts facts() {
        // Made now, since calls come from many threads.
        var ai = program.ai();
        var sessions = new SessionTools(program);
        return new ServerFacts(
                "skein",
                Objects.requireNonNullElse(ServeMcp.class.getPackage().getImplementationVersion(), "development"),
                INSTRUCTIONS,
                List.of(sessions.list(), sessions.search(), sessions.read(), new PromptTool(program, ai).tool()));
    }

    private synchronized void mishap(Throwable thrown) {
        var terminal = program.terminal();
        terminal.note(terminal.stored("a call failed: " + thrown));
    }
}

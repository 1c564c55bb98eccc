package dev.skein.cli.mcp.serve;

import dev.skein.cli.program.Program;
import dev.skein.cli.program.ProtocolStreams;
import dev.skein.tools.mcp.server.ServerFacts;
import dev.skein.tools.mcp.server.StdioServer;
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

    @Override
    public void run() {
        program.openToClient();
        ProtocolStreams.hold(program, (in, out, mishaps) -> new StdioServer(facts(), out, mishaps).serve(in, PATIENCE));
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
}

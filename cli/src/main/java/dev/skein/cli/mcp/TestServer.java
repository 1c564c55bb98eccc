package dev.skein.cli.mcp;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Style;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `skein mcp test`
@Command(name = "test", description = "Start a server, greet it, list its tools, and end it.")
final class TestServer implements Runnable {

    private final Program program;

    @Parameters(paramLabel = "NAME", description = "The name of the server.")
    private String name = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    TestServer(Program program) {
        this.program = program;
    }

    private record Tried(String name, String server, String protocol, int tools, List<String> problems) {}

    @Override
    public void run() {
        try (var mcp = program.mcp()) {
            var tried = new Visit(mcp).to(Visit.named(mcp, name), client -> {
                var listing = client.tools(new dev.skein.cancellation.Cancellation());
                return new Tried(
                        name, client.title(), client.protocol(), listing.tools().size(), listing.problems());
            });
            if (json.wanted()) {
                program.answer(tried);
                return;
            }
            var terminal = program.terminal();
            terminal.line(terminal.paint(Style.GREEN, "works") + "  "
                    + terminal.stored("%s: %s, protocol %s, %d tools"
                            .formatted(name, tried.server(), tried.protocol(), tried.tools())));
            tried.problems()
                    .forEach(problem ->
                            terminal.note(terminal.paint(Style.YELLOW, "warning:") + " " + terminal.stored(problem)));
        }
    }
}

package dev.skein.cli.mcp;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.tools.mcp.config.McpServer;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `skein mcp remove`
@Command(name = "remove", description = "Remove a server, and what was approved of its tools.")
final class RemoveServer implements Runnable {

    private final Program program;

    @Parameters(paramLabel = "NAME", description = "The name of the server.")
    private String name = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    RemoveServer(Program program) {
        this.program = program;
    }

    @Override
    public void run() {
        try (var mcp = program.mcp()) {
            if (!mcp.file().remove(name)) {
                throw CommandFailure.noServer(name, "'skein mcp list' shows those there are");
            }
            var reach = new McpServer.Reach.Child("", List.of(), Map.of(), null);
            mcp.pins().forget(McpServer.of(name, reach).prefix());
        }
        if (json.wanted()) {
            program.answer(Map.of("removed", name));
        } else {
            program.terminal().line(program.terminal().stored("removed '" + name + "'"));
        }
    }
}

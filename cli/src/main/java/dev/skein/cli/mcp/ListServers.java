package dev.skein.cli.mcp;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Table;
import dev.skein.cli.terminal.Table.Column;
import dev.skein.tools.mcp.config.McpConfig;
import dev.skein.tools.mcp.config.McpServer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `skein mcp list`
@Command(name = "list", description = "List the configured servers. Starts none.")
final class ListServers implements Runnable {

    private final Program program;

    @Mixin
    private final JsonOption json = new JsonOption();

    ListServers(Program program) {
        this.program = program;
    }

    /// One server. `where` is its program or its address, without what may be secret.
    private record Listed(
            String name,
            String state,
            @Nullable String type,
            @Nullable String where,
            @Nullable String problem) {}

    @Override
    public void run() {
        try (var mcp = program.mcp()) {
            var all = listed(mcp.config());
            if (json.wanted()) {
                program.answer(all);
                return;
            }
            var terminal = program.terminal();
            if (all.isEmpty()) {
                terminal.note("there are no MCP servers; 'skein mcp add NAME -- COMMAND' adds one");
                return;
            }
            var table = new Table(
                    List.of(Column.of("NAME"), Column.of("STATE"), Column.of("TYPE"), Column.shrinkingTo(20, "WHERE")));
            all.forEach(server -> table.add(List.of(
                    server.name(),
                    server.state(),
                    server.type() == null ? "-" : server.type(),
                    server.problem() != null ? server.problem() : server.where() == null ? "-" : server.where())));
            table.print(terminal);
        }
    }

    private static List<Listed> listed(McpConfig config) {
        var all = new ArrayList<Listed>();
        config.servers()
                .values()
                .forEach(server -> all.add(
                        switch (server.reach()) {
                            case McpServer.Reach.Child child ->
                                new Listed(server.name(), "ready", "stdio", child.toString(), null);
                            case McpServer.Reach.Web web ->
                                new Listed(server.name(), "ready", "http", web.toString(), null);
                        }));
        config.disabled().forEach(name -> all.add(new Listed(name, "disabled", null, null, null)));
        config.problems()
                .forEach(problem -> all.add(new Listed(
                        problem.server().isEmpty() ? McpConfig.FILE : problem.server(),
                        "wrong",
                        null,
                        null,
                        problem.reason())));
        return all;
    }
}

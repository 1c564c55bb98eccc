package dev.skein.cli.mcp;

import dev.skein.cancellation.Cancellation;
import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Mcp;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Style;
import dev.skein.cli.terminal.Table;
import dev.skein.cli.terminal.Table.Column;
import dev.skein.tools.mcp.ToolName;
import dev.skein.tools.mcp.config.McpServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/// `skein mcp tools`
@Command(name = "tools", description = "List the tools of one server, or of all. Starts them.")
final class ListTools implements Runnable {

    private final Program program;

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "The name of a server (default: all).")
    private @Nullable String name;

    @Mixin
    private final JsonOption json = new JsonOption();

    ListTools(Program program) {
        this.program = program;
    }

    /// One tool. `readOnly` is what the server says, which nobody has to believe.
    private record Listed(String name, String server, String description, boolean readOnly, JsonNode parameters) {}

    /// What one server has, and what is wrong with it.
    private record Answer(List<Listed> tools, List<String> problems) {}

    @Override
    public void run() {
        try (var mcp = program.mcp()) {
            var listed = new ArrayList<Listed>();
            if (name != null) {
                take(ask(mcp, Visit.named(mcp, name)), listed);
            } else {
                mcp.config().problems().forEach(problem -> warn(problem.toString()));
                // A server may take its time to start: all do so at once.
                var asked = mcp.config().servers().values().stream()
                        .map(server ->
                                CompletableFuture.supplyAsync(() -> askOrTell(mcp, server), Thread::startVirtualThread))
                        .toList();
                asked.forEach(each -> take(each.join(), listed));
            }
            if (json.wanted()) {
                program.answer(listed);
            } else {
                print(listed);
            }
        }
    }

    private void take(Answer answer, List<Listed> listed) {
        answer.problems().forEach(this::warn);
        listed.addAll(answer.tools());
    }

    private static Answer askOrTell(Mcp mcp, McpServer server) {
        try {
            return ask(mcp, server);
        } catch (CommandFailure e) {
            return new Answer(List.of(), List.of(String.valueOf(e.getMessage())));
        }
    }

    private static Answer ask(Mcp mcp, McpServer server) {
        return new Visit(mcp).to(server, client -> {
            var listing = client.tools(new Cancellation());
            return new Answer(
                    listing.tools().stream()
                            .map(tool -> new Listed(
                                    ToolName.of(server, tool),
                                    server.name(),
                                    tool.description(),
                                    tool.claimsToRead(),
                                    tool.schema()))
                            .toList(),
                    listing.problems().stream()
                            .map(problem -> "the MCP server '" + server.name() + "': " + problem)
                            .toList());
        });
    }

    private void print(List<Listed> tools) {
        var table = new Table(List.of(Column.of("NAME"), Column.of("SAYS IT"), Column.shrinkingTo(20, "DESCRIPTION")));
        tools.forEach(tool -> table.add(List.of(
                tool.name(),
                tool.readOnly() ? "reads" : "acts",
                tool.description().lines().findFirst().orElse(""))));
        table.print(program.terminal());
    }

    private void warn(String problem) {
        var terminal = program.terminal();
        terminal.note(terminal.paint(Style.YELLOW, "warning:") + " " + terminal.stored(problem));
    }
}

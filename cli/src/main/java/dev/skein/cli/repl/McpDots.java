package dev.skein.cli.repl;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Style;
import dev.skein.tools.mcp.pool.McpCounters;
import java.util.List;
import java.util.Locale;

/// The commands about MCP servers.
final class McpDots {

    private final Program program;
    private final Desk desk;

    McpDots(Program program, Desk desk) {
        this.program = program;
        this.desk = desk;
    }

    void mcp(String rest) {
        switch (rest) {
            case "" -> list();
            case "reload" -> reload();
            default ->
                throw CommandFailure.usage("'.mcp' knows reload, not '" + rest + "'; alone it lists the servers");
        }
    }

    /// Starts none.
    private void list() {
        var config = program.ai().mcp().config();
        var running = program.ai().mcp().counters().servers();
        config.servers().keySet().forEach(name -> line(name, state(name, running)));
        config.disabled().forEach(name -> line(name, "disabled"));
        config.problems().forEach(problem -> say(problem.toString()));
        if (config.servers().isEmpty()
                && config.disabled().isEmpty()
                && config.problems().isEmpty()) {
            say("there are no MCP servers; 'skein mcp add' adds one, then .mcp reload");
        }
    }

    private String state(String name, List<McpCounters.Running> running) {
        var state = running.stream()
                .filter(server -> server.name().equals(name))
                .map(server -> server.state().name().toLowerCase(Locale.ROOT))
                .findFirst()
                .orElse("not running");
        var wanted = desk.settings().mcpServers();
        return wanted == null || wanted.contains(name) ? state : state + ", not wanted here";
    }

    private void reload() {
        var config = program.ai().mcp().reload();
        // What the next turn wants is started then.
        desk.letGo();
        say("mcp.json was read again: " + config.servers().size() + " servers");
        config.problems().forEach(problem -> say(problem.toString()));
    }

    private void line(String name, String state) {
        var terminal = program.terminal();
        terminal.line(terminal.paint(Style.CYAN, "%-14s".formatted(terminal.stored(name))) + " " + state);
    }

    private void say(String text) {
        program.terminal().line(program.terminal().stored(text));
    }
}

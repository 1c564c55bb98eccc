package dev.skein.cli.mcp;

import dev.skein.cli.mcp.serve.ServeMcp;
import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.Program;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `skein mcp`
@Command(name = "mcp", description = "List, add, remove and try MCP servers, whose tools models can use; or be one.")
public final class McpCommands implements Runnable {

    private McpCommands() {}

    public static CommandLine with(Program program) {
        return new CommandLine(new McpCommands())
                .addSubcommand(new ListServers(program))
                .addSubcommand(new AddServer(program))
                .addSubcommand(new RemoveServer(program))
                .addSubcommand(new TestServer(program))
                .addSubcommand(new ListTools(program))
                .addSubcommand(new LogIn(program))
                .addSubcommand(new LogOut(program))
                .addSubcommand(new ServeMcp(program));
    }

    @Override
    public void run() {
        throw CommandFailure.usage("say what to do with MCP servers; 'skein mcp --help' lists the commands");
    }
}

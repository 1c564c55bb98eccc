package dev.skein.cli.agents;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `skein agents`: alone it lists them.
@Command(
        name = "agents",
        description = "List the agents, directories agents/NAME in home, or show one; 'skein -a NAME' has one answer.")
public final class AgentCommands implements Runnable {

    private final Program program;

    @Mixin
    private final JsonOption json = new JsonOption();

    private AgentCommands(Program program) {
        this.program = program;
    }

    public static CommandLine with(Program program) {
        return new CommandLine(new AgentCommands(program))
                .addSubcommand(new ListAgents(program))
                .addSubcommand(new ShowAgent(program))
                .addSubcommand(new BuildAgent(program));
    }

    @Override
    public void run() {
        ListAgents.list(program, json.wanted());
    }
}

package dev.skein.cli.agents;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Nearest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `skein agents show`
@Command(name = "show", description = "Show what an agent is told, has and may do.")
final class ShowAgent implements Runnable {

    private final Program program;

    @Parameters(paramLabel = "NAME", description = "An agent, see 'skein agents'.")
    private String name = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    ShowAgent(Program program) {
        this.program = program;
    }

    @Override
    public void run() {
        var agents = program.agents();
        var agent = agents.find(name)
                .orElseThrow(() -> CommandFailure.usage("there is no agent '" + name + "'; "
                        + Nearest.to(name, agents.names())
                                .map(near -> "did you mean '" + near + "'?")
                                .orElse("'skein agents' lists them")));
        if (json.wanted()) {
            program.answer(agent);
        } else {
            var terminal = program.terminal();
            AgentSheet.of(agent).forEach(line -> terminal.line(terminal.stored(line, Integer.MAX_VALUE)));
        }
    }
}

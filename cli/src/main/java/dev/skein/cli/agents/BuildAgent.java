package dev.skein.cli.agents;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.rag.Building;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `skein agents build`
@Command(name = "build", description = "Read the documents of an agent again that are new or changed.")
final class BuildAgent implements Runnable {

    private final Program program;

    @Parameters(paramLabel = "NAME", description = "An agent with documents.")
    private String name = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    BuildAgent(Program program) {
        this.program = program;
    }

    @Override
    public void run() {
        var agent = program.ai().app().agent(name);
        new Building(program, name)
                .run(json, (progress, cancellation) -> program.ai().documents().build(agent, progress, cancellation));
    }
}

package dev.skein.cli.rag;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.retrieval.RagKey;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `skein rag rebuild`
@Command(name = "rebuild", description = "Read again what is new or changed, and drop what is gone.")
final class RebuildRag implements Runnable {

    private final Program program;

    @Parameters(paramLabel = "NAME", description = "Which collection.")
    private String name = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    RebuildRag(Program program) {
        this.program = program;
    }

    @Override
    public void run() {
        var key = new RagKey.Named(name);
        new Building(program, name)
                .run(json, (progress, cancellation) -> program.ai().rags().rebuild(key, progress, cancellation));
    }
}

package dev.skein.cli.rag;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.retrieval.RagKey;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `skein rag add`
@Command(name = "add", description = "Add sources to a collection, and bring all of it up to date.")
final class AddSources implements Runnable {

    private final Program program;

    @Parameters(index = "0", paramLabel = "NAME", description = "Which collection.")
    private String name = "";

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "SOURCE",
            description = "Files, directories, patterns such as 'docs/**/*.md', and URLs.")
    private List<String> sources = List.of();

    @Mixin
    private final JsonOption json = new JsonOption();

    AddSources(Program program) {
        this.program = program;
    }

    @Override
    public void run() {
        var key = new RagKey.Named(name);
        var normal = Building.normal(sources);
        new Building(program, name)
                .run(json, (progress, cancellation) -> program.ai().rags().add(key, normal, progress, cancellation));
    }
}

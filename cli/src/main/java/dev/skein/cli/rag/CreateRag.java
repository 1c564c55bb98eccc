package dev.skein.cli.rag;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.retrieval.RagKey;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `skein rag create`
@Command(name = "create", description = "Make a collection of documents.")
final class CreateRag implements Runnable {

    private final Program program;

    @Parameters(index = "0", paramLabel = "NAME", description = "How it is called.")
    private String name = "";

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "SOURCE",
            description = "Files, directories, patterns such as 'docs/**/*.md', and URLs.")
    private List<String> sources = List.of();

    @Option(
            names = "--embedding",
            paramLabel = "MODEL",
            description = "Who turns texts into vectors (default: a model on this machine). A provider:model is sent"
                    + " everything that is read.")
    private @Nullable String embedding;

    @Mixin
    private final JsonOption json = new JsonOption();

    CreateRag(Program program) {
        this.program = program;
    }

    @Override
    public void run() {
        var key = new RagKey.Named(name);
        var normal = Building.normal(sources);
        new Building(program, name)
                .run(
                        json,
                        (progress, cancellation) ->
                                program.ai().rags().create(key, normal, embedding, progress, cancellation));
    }
}

package dev.skein.cli.rag;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.program.YesOption;
import dev.skein.retrieval.RagKey;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `skein rag delete`
@Command(name = "delete", description = "Delete a collection for good. Its sources are not touched.")
final class DeleteRag implements Runnable {

    private final Program program;

    @Parameters(paramLabel = "NAME", description = "Which collection.")
    private String name = "";

    @Mixin
    private final YesOption yes = new YesOption();

    @Mixin
    private final JsonOption json = new JsonOption();

    DeleteRag(Program program) {
        this.program = program;
    }

    /// What scripts get.
    private record Deleted(String deleted) {}

    @Override
    public void run() {
        var key = new RagKey.Named(name);
        // Fails if it is not there, before anybody is asked.
        var _ = program.ai().rags().open(key);
        program.confirm(yes.given(), "delete the rag '" + program.terminal().stored(name) + "' for good");
        program.ai().rags().delete(key);
        if (json.wanted()) {
            program.answer(new Deleted(name));
        } else {
            program.terminal().line("deleted the rag '" + program.terminal().stored(name) + "'");
        }
    }
}

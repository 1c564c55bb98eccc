package dev.skein.cli.vault;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.program.YesOption;
import dev.skein.failure.VaultFailed;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `skein vault delete`
@Command(name = "delete", description = "Forget a secret.")
final class DeleteSecret implements Runnable {

    private final Program program;

    @Parameters(index = "0", paramLabel = "SECRET", description = "Its name.")
    private String name = "";

    @Mixin
    private final YesOption yes = new YesOption();

    @Mixin
    private final JsonOption json = new JsonOption();

    DeleteSecret(Program program) {
        this.program = program;
    }

    /// What scripts get.
    private record Deleted(String deleted) {}

    @Override
    public void run() {
        if (program.vault().list().stream().noneMatch(entry -> entry.name().equals(name))) {
            throw VaultFailed.notFound(name);
        }
        program.confirm(yes.given(), "delete the secret '" + program.terminal().stored(name) + "' for good");
        program.vault().delete(name);
        if (json.wanted()) {
            program.answer(new Deleted(name));
        } else {
            program.terminal().line("deleted the secret '" + program.terminal().stored(name) + "'");
        }
    }
}

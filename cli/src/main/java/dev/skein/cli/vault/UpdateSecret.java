package dev.skein.cli.vault;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `skein vault update`
@Command(name = "update", description = "Give a secret another value.")
final class UpdateSecret implements Runnable {

    private final Program program;

    @Parameters(index = "0", paramLabel = "SECRET", description = "Its name.")
    private String name = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    UpdateSecret(Program program) {
        this.program = program;
    }

    /// What scripts get.
    private record Updated(String updated) {}

    @Override
    public void run() {
        program.vault().update(name, VaultCommands.secret(program.terminal(), name));
        if (json.wanted()) {
            program.answer(new Updated(name));
        } else {
            program.terminal().line("'" + program.terminal().stored(name) + "' has another value now");
        }
    }
}

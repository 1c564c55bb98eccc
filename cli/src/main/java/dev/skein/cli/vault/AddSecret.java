package dev.skein.cli.vault;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `skein vault add`
@Command(name = "add", description = "Keep a secret. Its value is piped in, or asked for.")
final class AddSecret implements Runnable {

    private final Program program;

    @Parameters(index = "0", paramLabel = "SECRET", description = "Its name, for example GITHUB_TOKEN.")
    private String name = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    AddSecret(Program program) {
        this.program = program;
    }

    /// What scripts get.
    private record Added(String added) {}

    @Override
    public void run() {
        program.vault().add(name, VaultCommands.secret(program.terminal(), name));
        if (json.wanted()) {
            program.answer(new Added(name));
        } else {
            program.terminal()
                    .line("kept '" + program.terminal().stored(name) + "'; settings name it {{" + name + "}}");
        }
    }
}

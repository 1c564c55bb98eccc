package dev.skein.cli.keys;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `skein keys revoke`. A server that runs refuses the key within a second.
@Command(name = "revoke", description = "Make a key useless, at once and for good.")
final class RevokeKey implements Runnable {

    private final Program program;

    @Parameters(index = "0", paramLabel = "ID", description = "The id of the key, as 'skein keys list' shows it.")
    private String id = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    RevokeKey(Program program) {
        this.program = program;
    }

    @Override
    public void run() {
        var key = KeyCommands.file(program).revoke(id, program::now);
        if (json.wanted()) {
            program.answer(KeySummary.of(key));
        } else {
            program.terminal()
                    .line("revoked key " + key.id() + " of '"
                            + program.terminal().stored(key.subject()) + "'");
        }
    }
}

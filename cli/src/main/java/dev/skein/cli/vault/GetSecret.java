package dev.skein.cli.vault;

import dev.skein.cli.program.Program;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `skein vault get`. The only command that shows a secret, and nothing but it.
@Command(name = "get", description = "Print a secret.")
final class GetSecret implements Runnable {

    private final Program program;

    @Parameters(index = "0", paramLabel = "SECRET", description = "Its name.")
    private String name = "";

    GetSecret(Program program) {
        this.program = program;
    }

    @Override
    public void run() {
        var secret = program.vault().get(name);
        var terminal = program.terminal();
        terminal.line(terminal.isInteractive() ? terminal.storedBlock(secret) : secret);
    }
}

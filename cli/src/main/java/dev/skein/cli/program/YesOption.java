package dev.skein.cli.program;

import dev.skein.cli.program.Program.Confirmation;
import picocli.CommandLine.Option;

/// The option of every command that asks before it acts.
public final class YesOption {

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask.")
    private boolean yes;

    public Confirmation given() {
        return yes ? Confirmation.GIVEN : Confirmation.NEEDED;
    }
}

package dev.skein.cli.program;

import picocli.CommandLine.Option;

/// The option of every command that has an answer for scripts.
public final class JsonOption {

    /// How it is spelled.
    public static final String NAME = "--json";

    @Option(names = NAME, description = "Answer in JSON, and tell failures in JSON.")
    private boolean wanted;

    public boolean wanted() {
        return wanted;
    }
}

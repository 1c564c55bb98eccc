package dev.skein.cli.program;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/// The options that every command understands, before or after its name.
public final class GlobalOptions {

    @Option(
            names = "--home",
            paramLabel = "DIR",
            scope = ScopeType.INHERIT,
            description = "Where sessions and settings are (default: $SKEIN_HOME, else ~/.config/skein).")
    private @Nullable Path home;

    @Option(
            names = "--store",
            paramLabel = "STORE",
            scope = ScopeType.INHERIT,
            description = "Where sessions are kept: file (in home), sqlite:PATH or postgresql://USER@HOST/DATABASE"
                    + " (default: $SKEIN_STORE, else 'store' in config.yaml, else file).")
    private @Nullable String store;

    @Option(
            names = {"-a", "--agent"},
            paramLabel = "A",
            scope = ScopeType.INHERIT,
            description = "This agent answers, and these are its sessions (default: none).")
    private @Nullable String agent;

    @Option(names = "--no-color", scope = ScopeType.INHERIT, description = "No colours (also: NO_COLOR=1).")
    private boolean noColor;

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Show the stack trace of a failure.")
    private boolean debug;

    public Optional<Path> home() {
        return Optional.ofNullable(home);
    }

    public Optional<String> store() {
        return Optional.ofNullable(store);
    }

    public Optional<String> agent() {
        return Optional.ofNullable(agent);
    }

    public boolean noColor() {
        return noColor;
    }

    public boolean debug() {
        return debug;
    }
}

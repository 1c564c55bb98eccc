package dev.skein.cli;

import dev.skein.cli.program.GlobalOptions;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/// `skein` itself: the options of all commands, and help when no command is given.
@Command(
        name = "skein",
        versionProvider = RootCommand.Version.class,
        description = "Agent sessions that are never lost.",
        footer = {"", "Exit codes and examples: docs/cli.md. Error codes: docs/errors.md."})
// Its fields are set and read by picocli.
@SuppressWarnings("UnusedVariable")
final class RootCommand implements Runnable {

    @Mixin
    private final GlobalOptions options;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version.")
    private boolean version;

    @Spec
    private @Nullable CommandSpec spec;

    RootCommand(GlobalOptions options) {
        this.options = options;
    }

    @Override
    public void run() {
        if (spec != null) {
            spec.commandLine().usage(spec.commandLine().getOut());
        }
    }

    /// The version the jar was built as.
    static final class Version implements CommandLine.IVersionProvider {

        static String text() {
            return "skein "
                    + Objects.requireNonNullElse(Main.class.getPackage().getImplementationVersion(), "development");
        }

        @Override
        public String[] getVersion() {
            return new String[] {text()};
        }
    }
}

package dev.skein.cli;

import dev.skein.cli.chat.Chat;
import dev.skein.cli.chat.ChatOptions;
import dev.skein.cli.program.ExitCode;
import dev.skein.cli.program.GlobalOptions;
import dev.skein.cli.program.Program;
import dev.skein.cli.repl.Repl;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/// `skein` itself: a prompt for a model, the options of all commands, and help when there is neither.
@Command(
        name = "skein",
        versionProvider = RootCommand.Version.class,
        description = "Agent sessions that are never lost.",
        footer = {"", "Exit codes and examples: docs/cli.md. Error codes: docs/errors.md."})
// Its fields are set and read by picocli.
@SuppressWarnings("UnusedVariable")
final class RootCommand implements Callable<Integer> {

    private final Program program;

    @Mixin
    private final GlobalOptions options;

    @Mixin
    private final ChatOptions chat = new ChatOptions();

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

    RootCommand(Program program) {
        this.program = program;
        this.options = program.options();
    }

    @Override
    public Integer call() {
        if (spec == null) {
            throw new IllegalStateException("picocli sets this");
        }
        if (chat.macro().isPresent()) {
            return Repl.macro(program, chat, chat.macro().get()).number();
        }
        if (chat.isOpenEnded() && program.terminal().isInteractive()) {
            return Repl.atTerminal(program, chat).number();
        }
        var said = new Chat(program, chat);
        if (!chat.isUsed() && said.isNothing()) {
            spec.commandLine().usage(spec.commandLine().getOut());
            return ExitCode.OK.number();
        }
        if (!spec.commandLine().getParseResult().originalArgs().contains("--")) {
            Misuse.requireNoCommand(chat.words(), spec.commandLine());
        }
        return said.run().number();
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

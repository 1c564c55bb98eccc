package dev.skein.cli.vault;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `skein vault`: the commands on secrets.
@Command(name = "vault", description = "Keep secrets, encrypted, for settings that name them as {{NAME}}.")
public final class VaultCommands implements Runnable {

    private static final int BYTES_MAX = 256 * 1024;

    private VaultCommands() {}

    public static CommandLine with(Program program) {
        return new CommandLine(new VaultCommands())
                .addSubcommand(new AddSecret(program))
                .addSubcommand(new GetSecret(program))
                .addSubcommand(new UpdateSecret(program))
                .addSubcommand(new DeleteSecret(program))
                .addSubcommand(new ListSecrets(program));
    }

    /// Piped in, or typed where nobody sees it. Never an argument: those are in the history and in the list of
    /// processes.
    static String secret(Terminal terminal, String name) {
        return terminal.hasInput() ? proper(terminal.input(BYTES_MAX), name) : typed(terminal, name);
    }

    /// Typed where nobody sees it.
    public static String typed(Terminal terminal, String name) {
        if (!terminal.isInteractive()) {
            throw CommandFailure.usage("the value of '" + name + "' cannot be asked for here; pipe it in");
        }
        return proper(terminal.asksHidden("value of " + name + ": "), name);
    }

    private static String proper(String text, String name) {
        var value = text.replaceFirst("\\R$", "");
        if (value.isEmpty()) {
            throw CommandFailure.usage("no value for '" + name + "' was given; type it, or pipe it in");
        }
        return value;
    }

    @Override
    public void run() {
        throw CommandFailure.usage("say what to do with secrets; 'skein vault --help' lists the commands");
    }
}

package dev.skein.cli;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.terminal.Nearest;
import java.util.Collection;
import java.util.Locale;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// Explains a command line that cannot be understood: what is wrong, and what was probably meant.
final class Misuse {

    private Misuse() {}

    static CommandFailure explain(ParameterException thrown) {
        var command = thrown.getCommandLine();
        if (thrown instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            return CommandFailure.usage(unknown(unmatched.getUnmatched().getFirst(), command));
        }
        var message = Objects.requireNonNullElse(thrown.getMessage(), "this cannot be understood");
        return CommandFailure.usage(lowerFirst(message) + "; see '" + name(command) + " --help'");
    }

    private static String unknown(String word, CommandLine command) {
        var option = word.startsWith("-");
        var spec = command.getCommandSpec();
        if (!option && spec.subcommands().isEmpty()) {
            return "'" + name(command) + "' has no use for '" + word + "'; put a text of several words in quotes";
        }
        Collection<String> known =
                option ? spec.optionsMap().keySet() : spec.subcommands().keySet();
        var typed = option && word.contains("=") ? word.substring(0, word.indexOf('=')) : word;
        return "'%s' has no %s '%s'; %s"
                .formatted(
                        name(command),
                        option ? "option" : "command",
                        typed,
                        Nearest.to(typed, known)
                                .map(nearest -> "did you mean '" + nearest + "'?")
                                .orElse("see '" + name(command) + " --help'"));
    }

    private static String name(CommandLine command) {
        return command.getCommandSpec().qualifiedName();
    }

    private static String lowerFirst(String text) {
        return text.isEmpty() ? text : text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
    }
}

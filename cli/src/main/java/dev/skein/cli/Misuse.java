package dev.skein.cli;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.terminal.Nearest;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// Explains a command line that cannot be understood: what is wrong, and what was probably meant.
final class Misuse {

    private static final int WORDS_OF_A_COMMAND = 4;

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

    /// A first word that is nearly a command is more likely a slip than the beginning of a prompt.
    static void requireNoCommand(List<String> words, CommandLine root) {
        var first = words.isEmpty() ? "" : words.getFirst();
        if (first.contains(" ") || words.size() > WORDS_OF_A_COMMAND) {
            return;
        }
        Nearest.to(first, root.getSubcommands().keySet()).ifPresent(nearest -> {
            throw CommandFailure.usage("'%s' has no command '%s'; did you mean '%s'? To say it to a model: %s -- %s"
                    .formatted(name(root), first, nearest, name(root), String.join(" ", words)));
        });
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

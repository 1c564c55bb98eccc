package dev.skein.cli.completion;

import dev.skein.cli.completion.CommandTree.Command;
import dev.skein.cli.completion.CommandTree.Flag;
import dev.skein.cli.completion.CommandTree.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/// The parts that bash and zsh have in common: `case` statements over the command typed so far.
final class Cases {

    private Cases() {}

    /// What bash and zsh call it: `sessions`, `files`, `one of` some words, or nothing.
    static String kind(Value value) {
        return switch (value) {
            case Value.None _ -> "";
            case Value.Anything _ -> "anything";
            case Value.Files _ -> "files";
            case Value.OneOf(var words) -> "one of " + String.join(" ", words);
            case Value.Asked(var words) -> words.toString();
        };
    }

    /// Lines that go one word down.
    static String steps(CommandTree tree) {
        var paths = tree.commands().stream()
                .flatMap(command -> command.subcommands().stream().map(sub -> command.path() + " " + sub.name()))
                .map(Shell::quoted)
                .collect(Collectors.joining(" | \\\n            "));
        return "            " + paths + ")";
    }

    /// Lines that say what an option wants, for the options that want something.
    static String values(CommandTree tree) {
        var byKind = new LinkedHashMap<String, List<String>>();
        for (var command : tree.commands()) {
            for (var option : command.options()) {
                if (!(option.value() instanceof Value.None)) {
                    byKind.computeIfAbsent(kind(option.value()), _ -> new java.util.ArrayList<>())
                            .addAll(patterns(command, option));
                }
            }
        }
        return byKind.entrySet().stream()
                .map(entry -> "        " + String.join(" | \\\n        ", entry.getValue()) + ") kind="
                        + Shell.quoted(entry.getKey()) + " ;;")
                .collect(Collectors.joining("\n"));
    }

    private static List<String> patterns(Command command, Flag option) {
        return option.names().stream()
                .map(name -> Shell.quoted(command.path() + " " + name))
                .toList();
    }
}

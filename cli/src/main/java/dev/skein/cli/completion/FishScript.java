package dev.skein.cli.completion;

import dev.skein.cli.completion.CommandTree.Command;
import dev.skein.cli.completion.CommandTree.Flag;
import dev.skein.cli.completion.CommandTree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Writes the script for fish, with descriptions.
final class FishScript {

    private static final String SCRIPT = """
            # Completion of skein for fish. Written by 'skein completion fish'.

            # Whether the command typed so far is $argv[1], with fewer than $argv[2] words behind it.
            function __skein_at
                set -l at skein
                set -l given 0
                set -l skip 0
                for word in (commandline -opc)[2..]
                    if test $skip = 1
                        set skip 0
                    else if contains -- "$at $word" @STEPS@
                        set at "$at $word"
                    else if string match -q -- '-*' $word
                        if contains -- "$at $word" @VALUES@
                            set skip 1
                        end
                    else
                        set given (math $given + 1)
                    end
                end
                test "$at" = $argv[1]; and test $given -lt $argv[2]
            end

            # What skein knows about the words of this kind, in the same home and for the same agent.
            function __skein_words
                set -l typed (commandline -opc)
                set -l scope
                for option in --home --agent
                    set -l i (contains -i -- $option $typed)
                    and if test $i -lt (count $typed)
                        set -a scope $option $typed[(math $i + 1)]
                    end
                end
                $typed[1] completion --words $argv[1] $scope 2>/dev/null </dev/null
            end

            complete -c skein -f
            @COMMANDS@
            """;

    private FishScript() {}

    static String of(CommandTree tree) {
        var steps = tree.commands().stream()
                .flatMap(command -> command.subcommands().stream().map(sub -> command.path() + " " + sub.name()))
                .map(FishScript::quoted)
                .collect(Collectors.joining(" "));
        var values = tree.commands().stream()
                .flatMap(command -> command.options().stream()
                        .filter(option -> !(option.value() instanceof Value.None))
                        .flatMap(option -> option.names().stream().map(name -> command.path() + " " + name)))
                .map(FishScript::quoted)
                .collect(Collectors.joining(" "));
        return SCRIPT.replace("@STEPS@", steps)
                .replace("@VALUES@", values)
                .replace(
                        "@COMMANDS@",
                        tree.commands().stream()
                                .flatMap(command -> lines(command).stream())
                                .collect(Collectors.joining("\n")));
    }

    private static List<String> lines(Command command) {
        var lines = new ArrayList<String>();
        for (var sub : command.subcommands()) {
            lines.add(at(command, 1) + " -a " + quoted(sub.name()) + " -d " + quoted(sub.description()));
        }
        for (var option : command.options()) {
            lines.add(at(command, Integer.MAX_VALUE) + names(option) + wanted(option.value()) + " -d "
                    + quoted(option.description()));
        }
        if (!(command.argument() instanceof Value.None || command.argument() instanceof Value.Anything)) {
            lines.add(at(command, command.argumentsMax())
                    + wanted(command.argument()).replaceFirst("^ -[xr]", "")
                    + (command.argument() instanceof Value.Files ? " -F" : ""));
        }
        return lines;
    }

    private static String at(Command command, int most) {
        return "complete -c skein -n " + quoted("__skein_at " + quoted(command.path()) + " " + Math.min(99, most));
    }

    private static String names(Flag option) {
        return option.names().stream()
                .map(name -> name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1))
                .collect(Collectors.joining());
    }

    private static String wanted(Value value) {
        return switch (value) {
            case Value.None _ -> "";
            case Value.Anything _ -> " -x";
            case Value.Files _ -> " -r -F";
            case Value.OneOf(var words) -> " -x -a " + quoted(String.join(" ", words));
            case Value.Asked(var words) -> " -x -a " + quoted("(__skein_words " + words + ")");
        };
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}

package dev.skein.cli.completion;

import dev.skein.cli.completion.CommandTree.Command;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Writes the script for zsh, with descriptions. It can be sourced, or put into a directory of `fpath` as `_skein`.
final class ZshScript {

    private static final String SCRIPT = """
            #compdef skein
            # Completion of skein for zsh. Written by 'skein completion zsh'.

            # What the option $2 of the command $1 wants.
            _skein_value() {
                kind=
                case "$1 $2" in
            @VALUES@
                esac
            }

            # What may stand behind the command $1.
            _skein_command() {
                options=() commands=() kind= most=0
                case "$1" in
            @COMMANDS@
                esac
            }

            _skein() {
                local skein=${words[1]} at=skein word kind cur=${words[CURRENT]} prev=${words[CURRENT-1]}
                integer i given=0 most=0
                local -a scope options commands found
                for ((i = 2; i < CURRENT; i++)); do
                    word=${words[i]}
                    case "$word" in
                        --home | --agent) scope+=("$word" "${(Q)words[i+1]}") ;;
                    esac
                    case "$at $word" in
            @STEPS@
                            at="$at $word"
                            continue ;;
                    esac
                    if [[ $word == -* ]]; then
                        _skein_value "$at" "$word"
                        if [[ -n $kind ]]; then ((i++)); fi
                    else
                        ((given++))
                    fi
                done
                if [[ $cur == --*=* ]]; then
                    prev=${cur%%=*}
                    compset -P 1 '*='
                    cur=
                fi
                _skein_value "$at" "$prev"
                if [[ -z $kind ]]; then
                    _skein_command "$at"
                    if [[ $cur == -* ]]; then
                        _describe -o option options
                        return
                    elif [[ $given == 0 && $#commands -gt 0 ]]; then
                        _describe command commands
                        return
                    elif ((given >= most)); then
                        return 1
                    fi
                fi
                case "$kind" in
                    '' | anything) return 1 ;;
                    files) _files ;;
                    'one of '*)
                        found=(${=kind#one of })
                        compadd -a found ;;
                    *)
                        found=("${(@f)$("${(Q)skein}" completion --words $kind $scope 2>/dev/null </dev/null)}")
                        found=(${found:#})
                        compadd -a found ;;
                esac
            }

            if [[ $funcstack[1] == _skein ]]; then _skein "$@"; else compdef _skein skein; fi
            """;

    private ZshScript() {}

    static String of(CommandTree tree) {
        return SCRIPT.replace("@VALUES@", Cases.values(tree))
                .replace("@STEPS@", Cases.steps(tree))
                .replace(
                        "@COMMANDS@",
                        tree.commands().stream().map(ZshScript::command).collect(Collectors.joining("\n")));
    }

    private static String command(Command command) {
        var options = command.options().stream()
                .flatMap(option -> option.names().stream().map(name -> described(name, option.description())));
        var commands = command.subcommands().stream().map(sub -> described(sub.name(), sub.description()));
        return "        %s)\n%s\n            kind=%s most=%d ;;"
                .formatted(
                        Shell.quoted(command.path()),
                        Stream.of(array("options", options), array("commands", commands))
                                .collect(Collectors.joining("\n")),
                        Shell.quoted(Cases.kind(command.argument())),
                        Math.min(99, command.argumentsMax()));
    }

    private static String array(String name, Stream<String> items) {
        return "            " + name + "=(" + items.map(Shell::quoted).collect(Collectors.joining("\n                "))
                + ")";
    }

    private static String described(String word, String description) {
        return word.replace(":", "\\:") + ":" + description;
    }
}

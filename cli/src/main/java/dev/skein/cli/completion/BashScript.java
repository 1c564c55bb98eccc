package dev.skein.cli.completion;

import dev.skein.cli.completion.CommandTree.Command;
import dev.skein.cli.completion.CommandTree.Flag;
import dev.skein.cli.completion.CommandTree.Sub;
import java.util.List;
import java.util.stream.Collectors;

/// Writes the script for bash, 3.2 or newer, with or without the package bash-completion.
final class BashScript {

    private static final String SCRIPT = """
            # Completion of skein for bash. Written by 'skein completion bash'.

            # What the option $2 of the command $1 wants.
            _skein_value() {
                kind=
                case "$1 $2" in
            @VALUES@
                esac
            }

            # What may stand behind the command $1.
            _skein_command() {
                options= commands= kind= most=0
                case "$1" in
            @COMMANDS@
                esac
            }

            _skein() {
                local skein=${COMP_WORDS[0]} cur=${COMP_WORDS[COMP_CWORD]} prev= at=skein given=0 glued=
                local i word options commands kind most candidate quoted
                local -a scope=()
                COMPREPLY=()
                # bash takes a colon and an equals sign for words of their own.
                if [[ $cur == : || $cur == = ]]; then
                    COMP_WORDS[COMP_CWORD+1]= COMP_CWORD=$((COMP_CWORD + 1)) cur=
                fi
                prev=${COMP_WORDS[COMP_CWORD-1]}
                if [[ $prev == : && $COMP_CWORD -ge 3 ]]; then
                    glued=${COMP_WORDS[COMP_CWORD-2]}: prev=${COMP_WORDS[COMP_CWORD-3]}
                fi
                if [[ $prev == = && $COMP_CWORD -ge 2 ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
                for ((i = 1; i < COMP_CWORD; i++)); do
                    word=${COMP_WORDS[i]}
                    case "$word" in
                        --home | --agent) scope+=("$word" "${COMP_WORDS[i+1]}") ;;
                    esac
                    case "$at $word" in
            @STEPS@
                            at="$at $word"
                            continue ;;
                    esac
                    if [[ $word == -* ]]; then
                        _skein_value "$at" "$word"
                        if [[ -n $kind ]]; then ((i++)); fi
                    elif [[ $word != : && $word != = ]]; then
                        ((given++))
                    fi
                done
                _skein_value "$at" "$prev"
                if [[ -z $kind ]]; then
                    _skein_command "$at"
                    if [[ $cur == -* ]]; then
                        kind="one of $options"
                    elif [[ $given == 0 && -n $commands ]]; then
                        kind="one of $commands"
                    elif ((given >= most)); then
                        kind=
                    fi
                fi
                case "$kind" in
                    '' | anything) return ;;
                    files)
                        compopt -o filenames 2>/dev/null
                        while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -f -- "$cur")
                        return ;;
                    'one of '*)
                        while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done \\
                            < <(compgen -W "${kind#one of }" -- "$cur")
                        return ;;
                esac
                while IFS= read -r candidate; do
                    printf -v quoted %q "$candidate"
                    if [[ $candidate == "$glued$cur"* || $quoted == "$glued$cur"* ]]; then
                        COMPREPLY+=("${quoted#"$glued"}")
                    fi
                done < <("$skein" completion --words "$kind" ${scope[@]+"${scope[@]}"} 2>/dev/null </dev/null)
            }

            complete -F _skein skein
            """;

    private BashScript() {}

    static String of(CommandTree tree) {
        return SCRIPT.replace("@VALUES@", Cases.values(tree))
                .replace("@STEPS@", Cases.steps(tree))
                .replace(
                        "@COMMANDS@",
                        tree.commands().stream().map(BashScript::command).collect(Collectors.joining("\n")));
    }

    private static String command(Command command) {
        var options = command.options().stream()
                .map(Flag::names)
                .flatMap(List::stream)
                .collect(Collectors.joining(" "));
        var commands = command.subcommands().stream().map(Sub::name).collect(Collectors.joining(" "));
        return "        %s) options=%s commands=%s kind=%s most=%d ;;"
                .formatted(
                        Shell.quoted(command.path()),
                        Shell.quoted(options),
                        Shell.quoted(commands),
                        Shell.quoted(Cases.kind(command.argument())),
                        Math.min(99, command.argumentsMax()));
    }
}

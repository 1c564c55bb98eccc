package dev.skein.cli.completion;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// All commands that are shown, each with what may stand behind it.
record CommandTree(List<Command> commands) {

    /// What a shell can offer in place of a value.
    sealed interface Value {
        /// No value at all: a flag, or nothing may stand here.
        record None() implements Value {}

        /// Something that only the person knows.
        record Anything() implements Value {}

        record Files() implements Value {}

        /// One of these.
        record OneOf(List<String> words) implements Value {}

        /// What `skein completion --words` tells.
        record Asked(CompletionCommand.Words words) implements Value {}
    }

    /// A command as it is typed.
    ///
    /// @param path its words, `skein` first
    /// @param argument what stands behind it, at most `argumentsMax` times
    record Command(
            String path,
            String description,
            List<Sub> subcommands,
            List<Flag> options,
            Value argument,
            int argumentsMax) {}

    record Sub(String name, String description) {}

    record Flag(List<String> names, String description, Value value) {}

    static CommandTree of(CommandSpec root) {
        var commands = new ArrayList<Command>();
        collect(root.name(), root, commands);
        return new CommandTree(List.copyOf(commands));
    }

    private static void collect(String path, CommandSpec spec, List<Command> into) {
        var visible = spec.subcommands().entrySet().stream()
                .filter(sub -> !sub.getValue().getCommandSpec().usageMessage().hidden())
                .toList();
        var argument = spec.positionalParameters().stream()
                .min((a, b) -> Integer.compare(a.index().min(), b.index().min()));
        into.add(new Command(
                path,
                description(spec),
                visible.stream()
                        .map(sub ->
                                new Sub(sub.getKey(), description(sub.getValue().getCommandSpec())))
                        .toList(),
                spec.options().stream()
                        .filter(option -> !option.hidden())
                        .map(option -> new Flag(
                                List.of(option.names()),
                                first(option.description()),
                                option.arity().max() == 0 ? new Value.None() : value(path, option)))
                        .toList(),
                argument.map(found -> value(path, found)).orElse(new Value.None()),
                argument.map(CommandTree::times).orElse(0)));
        visible.forEach(sub -> collect(path + " " + sub.getKey(), sub.getValue().getCommandSpec(), into));
    }

    private static int times(PositionalParamSpec argument) {
        return argument.index().isVariable() || argument.arity().max() > 1 ? Integer.MAX_VALUE : 1;
    }

    /// Labels mean the same everywhere; only a NAME is of what is spoken of.
    private static Value value(String path, ArgSpec argument) {
        if (argument.completionCandidates() != null) {
            return new Value.OneOf(
                    StreamSupport.stream(argument.completionCandidates().spliterator(), false)
                            .toList());
        }
        return switch (argument.paramLabel()) {
            case "NAME" -> named(path, argument);
            case "A" ->
                is("--agent", argument) ? new Value.Asked(CompletionCommand.Words.AGENTS) : new Value.Anything();
            case "ROLE" -> new Value.Asked(CompletionCommand.Words.ROLES);
            case "MODEL" -> new Value.Asked(CompletionCommand.Words.MODELS);
            case "SCHEDULE" -> new Value.Asked(CompletionCommand.Words.SCHEDULES);
            case "MACRO" -> new Value.Asked(CompletionCommand.Words.MACROS);
            case "FILE", "DIR" -> new Value.Files();
            default -> new Value.Anything();
        };
    }

    private static Value named(String path, ArgSpec argument) {
        if (path.startsWith("skein session") || is("--session", argument)) {
            return new Value.Asked(CompletionCommand.Words.SESSIONS);
        }
        return path.startsWith("skein agents") ? new Value.Asked(CompletionCommand.Words.AGENTS) : new Value.Anything();
    }

    private static boolean is(String option, ArgSpec argument) {
        return argument instanceof OptionSpec spec
                && Arrays.asList(spec.names()).contains(option);
    }

    private static String description(CommandSpec spec) {
        return first(spec.usageMessage().description());
    }

    private static String first(String[] lines) {
        return lines.length == 0 ? "" : lines[0].replace("${COMPLETION-CANDIDATES}", "the known ones");
    }
}

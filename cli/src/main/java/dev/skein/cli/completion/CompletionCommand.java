package dev.skein.cli.completion;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.Program;
import dev.skein.cli.settings.RoleFiles;
import dev.skein.store.ListQuery;
import dev.skein.store.SessionSummary;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `skein completion`
@Command(
        name = "completion",
        description = "Write a script that lets Tab complete commands, options, and the names of what there is.",
        footer = {
            "",
            "bash: source <(skein completion bash)         in ~/.bashrc",
            "zsh:  source <(skein completion zsh)          in ~/.zshrc, after compinit",
            "fish: skein completion fish | source          in ~/.config/fish/config.fish"
        })
public final class CompletionCommand implements Runnable {

    private static final int SESSIONS_MAX = 500;

    private final Program program;

    @Parameters(arity = "0..1", paramLabel = "SHELL", description = "One of ${COMPLETION-CANDIDATES}.")
    private @Nullable Shell shell;

    /// What the scripts ask for while somebody types.
    @Option(names = "--words", hidden = true)
    private @Nullable Words words;

    @Spec
    private @Nullable CommandSpec spec;

    /// What changes from day to day.
    enum Words {
        SESSIONS,
        MODELS,
        MACROS,
        SCHEDULES,
        ROLES,
        AGENTS;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public CompletionCommand(Program program) {
        this.program = program;
    }

    @Override
    public void run() {
        if (words != null) {
            var terminal = program.terminal();
            words(words).forEach(word -> terminal.line(terminal.stored(word)));
        } else if (shell != null) {
            var root = Objects.requireNonNull(spec).root();
            program.terminal().out().print(shell.script(CommandTree.of(root)));
        } else {
            throw CommandFailure.usage("name the shell: skein completion bash, zsh or fish");
        }
    }

    private List<String> words(Words wanted) {
        return switch (wanted) {
            case SESSIONS ->
                program.store().list(ListQuery.of(program.scope()).withLimit(SESSIONS_MAX)).sessions().stream()
                        .map(SessionSummary::alias)
                        .filter(Objects::nonNull)
                        .toList();
            case MACROS -> program.macros().names();
            case SCHEDULES -> program.schedules().names();
            case ROLES -> new RoleFiles(program.home().resolve("roles")).names();
            case AGENTS -> program.agents().names();
            case MODELS ->
                program.ai().models().models().stream()
                        .map(model -> model.name().toString())
                        .distinct()
                        .toList();
        };
    }
}

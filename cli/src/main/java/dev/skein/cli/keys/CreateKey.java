package dev.skein.cli.keys;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.server.auth.Grant;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `skein keys create`. The only time that a key is shown.
@Command(name = "create", description = "Make a key. It is shown once and kept only as a hash.")
final class CreateKey implements Runnable {

    private static final String ALL = "all";
    private static final List<String> USUAL = Arrays.stream(Grant.values())
            .map(Grant::wire)
            .filter(scope -> !scope.startsWith("admin:"))
            .toList();

    private final Program program;

    @Option(
            names = "--subject",
            required = true,
            paramLabel = "NAME",
            description = "Whom it stands for: the owner of the sessions it makes.")
    private String subject = "";

    @Option(
            names = "--scopes",
            split = ",",
            paramLabel = "SCOPE",
            description = "What it allows, or 'all' (default: everything but admin:*).")
    private List<String> scopes = USUAL;

    @Mixin
    private final JsonOption json = new JsonOption();

    CreateKey(Program program) {
        this.program = program;
    }

    /// What scripts get.
    private record Created(String id, String subject, List<String> scopes, String key) {}

    @Override
    public void run() {
        var granted = scopes.equals(List.of(ALL))
                ? Arrays.stream(Grant.values()).map(Grant::wire).toList()
                : scopes.stream().map(String::strip).distinct().toList();
        var made = KeyCommands.file(program).create(subject, granted, program::now, new SecureRandom());
        var stored = made.stored();
        if (json.wanted()) {
            program.answer(new Created(stored.id(), stored.subject(), stored.scopes(), made.key()));
        } else {
            program.terminal().line(made.key());
            program.terminal()
                    .note("key " + stored.id() + " of '" + program.terminal().stored(subject)
                            + "'; keep it safe, it is not shown again");
        }
    }
}

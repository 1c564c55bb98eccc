package dev.skein.cli.vault;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.secret.Vault;
import dev.skein.cli.terminal.Table;
import dev.skein.cli.terminal.Table.Column;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `skein vault list`. Needs no key.
@Command(name = "list", description = "List the names of the secrets.")
final class ListSecrets implements Runnable {

    private final Program program;

    @Mixin
    private final JsonOption json = new JsonOption();

    ListSecrets(Program program) {
        this.program = program;
    }

    /// What scripts get.
    private record Listing(List<Vault.Entry> secrets) {}

    @Override
    public void run() {
        var secrets = program.vault().list();
        if (json.wanted()) {
            program.answer(new Listing(secrets));
        } else if (secrets.isEmpty()) {
            program.terminal().line("no secrets yet; 'skein vault add NAME' keeps one");
        } else {
            var table = new Table(List.of(Column.of("NAME"), Column.of("CHANGED")));
            secrets.forEach(secret -> table.add(List.of(secret.name(), program.ago(secret.changed()))));
            table.print(program.terminal());
        }
    }
}

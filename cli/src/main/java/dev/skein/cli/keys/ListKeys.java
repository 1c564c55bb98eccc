package dev.skein.cli.keys;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Table;
import dev.skein.cli.terminal.Table.Column;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `skein keys list`
@Command(name = "list", description = "List keys, without their secrets.")
final class ListKeys implements Runnable {

    private final Program program;

    @Mixin
    private final JsonOption json = new JsonOption();

    ListKeys(Program program) {
        this.program = program;
    }

    /// What scripts get.
    private record Listing(List<KeySummary> keys) {}

    @Override
    public void run() {
        var keys = KeyCommands.file(program).keys().stream().map(KeySummary::of).toList();
        if (json.wanted()) {
            program.answer(new Listing(keys));
        } else if (keys.isEmpty()) {
            program.terminal().line("no keys yet; 'skein keys create --subject NAME' makes one");
        } else {
            print(keys);
        }
    }

    private void print(List<KeySummary> keys) {
        var table = new Table(List.of(
                Column.of("ID"),
                Column.shrinkingTo(8, "SUBJECT"),
                Column.of("CREATED"),
                Column.of("REVOKED"),
                Column.shrinkingTo(10, "SCOPES")));
        for (var key : keys) {
            table.add(List.of(
                    key.id(),
                    key.subject(),
                    program.ago(key.created()),
                    key.revoked() == null ? "-" : program.ago(key.revoked()),
                    String.join(",", key.scopes())));
        }
        table.print(program.terminal());
    }
}

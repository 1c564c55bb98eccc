package dev.skein.cli.rag;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Table;
import dev.skein.cli.terminal.Table.Column;
import dev.skein.tools.rag.Rags.Listed;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `skein rag list`
@Command(name = "list", description = "List the collections.")
final class ListRags implements Runnable {

    private final Program program;

    @Mixin
    private final JsonOption json = new JsonOption();

    ListRags(Program program) {
        this.program = program;
    }

    /// What scripts get.
    private record Listing(List<Row> rags) {}

    private record Row(String name, int documents, int passages, String embedding, Instant builtAt) {

        static Row of(Listed listed) {
            var manifest = listed.manifest();
            return new Row(
                    listed.name(),
                    manifest.documents().size(),
                    manifest.passages(),
                    manifest.embedding(),
                    manifest.builtAt());
        }
    }

    @Override
    public void run() {
        var listing = program.ai().rags().list();
        var rows = listing.rags().stream().map(Row::of).toList();
        listing.problems()
                .forEach(problem ->
                        program.terminal().note("warning: " + program.terminal().stored(problem)));
        if (json.wanted()) {
            program.answer(new Listing(rows));
        } else if (rows.isEmpty()) {
            program.terminal().line("no rags yet; 'skein rag create NAME SOURCE' makes one");
        } else {
            var table = new Table(List.of(
                    Column.shrinkingTo(12, "NAME"),
                    Column.ofNumbers("DOCUMENTS"),
                    Column.ofNumbers("PASSAGES"),
                    Column.of("BUILT"),
                    Column.shrinkingTo(10, "EMBEDDING")));
            rows.forEach(row -> table.add(List.of(
                    row.name(),
                    "%,d".formatted(row.documents()),
                    "%,d".formatted(row.passages()),
                    program.ago(row.builtAt()),
                    row.embedding())));
            table.print(program.terminal());
        }
    }
}

package dev.skein.cli.rag;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Style;
import dev.skein.cli.terminal.Table;
import dev.skein.cli.terminal.Table.Column;
import dev.skein.retrieval.RagKey;
import dev.skein.tools.rag.Manifest;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `skein rag sources`
@Command(name = "sources", description = "What a collection was made of: its sources and their documents.")
final class ListSources implements Runnable {

    private final Program program;

    @Parameters(paramLabel = "NAME", description = "Which collection.")
    private String name = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    ListSources(Program program) {
        this.program = program;
    }

    /// What scripts get.
    private record Listing(
            String name, String embedding, Instant builtAt, List<String> sources, List<Document> documents) {}

    private record Document(String source, long size, int passages, String sha256) {}

    @Override
    public void run() {
        var manifest = program.ai().rags().manifest(new RagKey.Named(name));
        if (json.wanted()) {
            program.answer(new Listing(
                    name, manifest.embedding(), manifest.builtAt(), manifest.sources(), documents(manifest)));
        } else {
            print(manifest);
        }
    }

    private static List<Document> documents(Manifest manifest) {
        return manifest.documents().entrySet().stream()
                .map(entry -> new Document(
                        entry.getKey(),
                        entry.getValue().size(),
                        entry.getValue().passages(),
                        entry.getValue().sha256()))
                .toList();
    }

    private void print(Manifest manifest) {
        var terminal = program.terminal();
        manifest.sources().forEach(source -> terminal.line(terminal.paint(Style.BOLD, terminal.stored(source))));
        if (manifest.documents().isEmpty()) {
            terminal.line("no documents; 'skein rag add " + terminal.stored(name) + " SOURCE' adds some");
            return;
        }
        var table = new Table(
                List.of(Column.shrinkingTo(20, "DOCUMENT"), Column.ofNumbers("BYTES"), Column.ofNumbers("PASSAGES")));
        documents(manifest)
                .forEach(document -> table.add(List.of(
                        document.source(), "%,d".formatted(document.size()), "%,d".formatted(document.passages()))));
        table.print(terminal);
    }
}

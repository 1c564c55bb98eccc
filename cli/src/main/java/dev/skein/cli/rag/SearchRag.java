package dev.skein.cli.rag;

import dev.skein.cancellation.Cancellation;
import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Style;
import dev.skein.retrieval.RagKey;
import dev.skein.tools.rag.Rags;
import dev.skein.tools.rag.index.PassageSearch.By;
import dev.skein.tools.rag.index.PassageSearch.Hit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `skein rag search`
@Command(name = "search", description = "The passages of a collection that fit a question, the best first.")
final class SearchRag implements Runnable {

    private final Program program;

    @Parameters(index = "0", paramLabel = "NAME", description = "Which collection.")
    private String name = "";

    @Parameters(index = "1", paramLabel = "QUESTION", description = "What to find.")
    private String question = "";

    @Option(names = "--limit", paramLabel = "N", description = "At most N (default: ${DEFAULT-VALUE}).")
    private int limit = Rags.PASSAGES;

    @Option(names = "--by", paramLabel = "HOW", description = "words, meaning or both (default: both).")
    private By by = By.BOTH;

    @Mixin
    private final JsonOption json = new JsonOption();

    SearchRag(Program program) {
        this.program = program;
    }

    /// What scripts get.
    private record Found(String id, String source, @Nullable String place, double score, String text) {

        static Found of(Hit hit) {
            var passage = hit.passage();
            return new Found(passage.id(), passage.source(), passage.place(), hit.score(), passage.text());
        }
    }

    private record Answer(List<Found> passages) {}

    @Override
    public void run() {
        var hits = program.ai()
                .rags()
                .search(new RagKey.Named(name), question, Math.clamp(limit, 1, 100), by, new Cancellation());
        if (json.wanted()) {
            program.answer(new Answer(hits.stream().map(Found::of).toList()));
            return;
        }
        var terminal = program.terminal();
        if (hits.isEmpty()) {
            terminal.line("nothing found");
        }
        int number = 1;
        for (var hit : hits) {
            terminal.line(terminal.paint(
                    Style.BOLD,
                    "[" + number++ + "] " + terminal.stored(hit.passage().cited())));
            terminal.line(terminal.storedBlock(hit.passage().text().indent(4).stripTrailing()));
            terminal.line("");
        }
    }
}

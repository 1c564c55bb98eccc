package dev.skein.tools.rag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.Cancelled;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.RagFailed;
import dev.skein.retrieval.RagKey;
import dev.skein.tools.rag.index.PassageSearch.By;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Collections with the real embedding model.
class RagsTest {

    private static final RagKey DOCS = new RagKey.Named("docs");

    @TempDir
    Path directory;

    private Path papers;
    private Rags rags;

    @BeforeEach
    void some_papers() throws IOException {
        papers = Files.createDirectories(directory.resolve("papers"));
        Files.writeString(papers.resolve("bees.md"), """
                # Bees

                ## Wintering

                In winter the colony forms a tight cluster around its queen and shivers to keep warm.

                ## Swarming

                In spring the old queen leaves with half of the workers to found a new colony elsewhere.
                """);
        Files.writeString(papers.resolve("tides.txt"), """
                The moon pulls the water of the oceans towards itself.

                Spring tides come when sun and moon stand in one line.
                """);
        rags = LocalRags.in(directory.resolve("home"));
    }

    @Test
    void a_directory_becomes_a_collection_that_answers_by_meaning_and_says_where_it_stands() {
        var report = rags.create(DOCS, List.of(papers.toString()), null, Progress.SILENT, new Cancellation());

        assertThat(report.added()).isEqualTo(2);
        var best = rags.search(DOCS, "how do insects survive the cold season?", 3, By.BOTH, new Cancellation())
                .getFirst();
        assertThat(best.passage().source()).isEqualTo(papers.resolve("bees.md").toString());
        assertThat(best.passage().place()).isEqualTo("Bees, lines 1-9");
        assertThat(best.passage().text()).contains("shivers to keep warm");
    }
}

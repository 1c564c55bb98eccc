package dev.skein.tools.rag;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpServer;
import dev.skein.cancellation.Cancellation;
import dev.skein.failure.Cancelled;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.RagFailed;
import dev.skein.retrieval.RagKey;
import dev.skein.tools.rag.embedding.Embedder;
import dev.skein.tools.rag.index.PassageSearch.By;
import dev.skein.tools.rag.source.Problem;
import dev.skein.tools.rag.source.Sources;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Collections of documents as they come, change and go.
class RagsTest {

    private static final RagKey DOCS = new RagKey.Named("docs");

    @TempDir
    Path directory;

    private final WordEmbedder embedder = new WordEmbedder();
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
        rags = open();
    }

    private Rags open() {
        return new Rags(directory.resolve("home"), _ -> embedder, Clock.systemUTC());
    }

    private BuildReport create() {
        return rags.create(DOCS, List.of(papers.toString()), WordEmbedder.NAME, Progress.SILENT, new Cancellation());
    }

    private BuildReport rebuild() {
        return rags.rebuild(DOCS, Progress.SILENT, new Cancellation());
    }

    private List<String> found(String question) {
        return rags.search(DOCS, question, 5, By.BOTH, new Cancellation()).stream()
                .map(hit -> hit.passage().text())
                .toList();
    }

    @Test
    void a_directory_becomes_a_collection_that_answers_by_meaning_and_says_where_it_stands() {
        rags = LocalRags.in(directory.resolve("home"));
        var report = rags.create(DOCS, List.of(papers.toString()), null, Progress.SILENT, new Cancellation());

        assertThat(report.added()).isEqualTo(2);
        var best = rags.search(DOCS, "how do insects survive the cold season?", 3, By.BOTH, new Cancellation())
                .getFirst();
        assertThat(best.passage().source()).isEqualTo(papers.resolve("bees.md").toString());
        assertThat(best.passage().place()).isEqualTo("Bees, lines 1-9");
        assertThat(best.passage().text()).contains("shivers to keep warm");
    }

    @Test
    void only_what_changed_is_embedded_again() throws IOException {
        create();
        embedder.asked.clear();
        Files.writeString(papers.resolve("tides.txt"), "Neap tides are weak.");
        Files.writeString(papers.resolve("new.txt"), "Something new about comets.");

        var report = rebuild();

        assertThat(report)
                .extracting(BuildReport::added, BuildReport::changed, BuildReport::unchanged)
                .containsExactly(1, 1, 1);
        assertThat(embedder.asked).containsExactlyInAnyOrder("Neap tides are weak.", "Something new about comets.");
        assertThat(found("neap tides")).contains("Neap tides are weak.");
        assertThat(String.join(" ", found("moon oceans"))).doesNotContain("pulls the water");
    }

    @Test
    void a_file_that_was_only_touched_is_not_embedded_again() throws IOException {
        create();
        embedder.asked.clear();
        Files.setLastModifiedTime(papers.resolve("tides.txt"), FileTime.fromMillis(1_000_000));

        assertThat(rebuild().unchanged()).isEqualTo(2);
        assertThat(embedder.asked).isEmpty();
    }

    @Test
    void what_is_gone_is_forgotten() throws IOException {
        create();
        Files.delete(papers.resolve("tides.txt"));

        assertThat(rebuild().removed()).isEqualTo(1);
        assertThat(found("moon")).allMatch(text -> text.contains("queen"));
        assertThat(rags.manifest(DOCS).documents()).hasSize(1);
    }

    @Test
    void a_file_that_cannot_be_read_now_is_reported_and_keeps_its_passages() throws IOException {
        var url = "http://127.0.0.1:1/page";
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/page", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "text/plain");
            exchange.sendResponseHeaders(200, 0);
            try (var out = exchange.getResponseBody()) {
                out.write("Comets have tails.".getBytes(UTF_8));
            }
        });
        server.start();
        var page = "http://127.0.0.1:" + server.getAddress().getPort() + "/page";
        try {
            rags.create(DOCS, List.of(page, url), WordEmbedder.NAME, Progress.SILENT, new Cancellation());
        } finally {
            server.stop(0);
        }
        assertThat(found("comets")).containsExactly("Comets have tails.");

        var report = rebuild();

        assertThat(report.problems()).extracting(Problem::source).containsExactlyInAnyOrder(page, url);
        assertThat(report.problems()).anyMatch(problem -> problem.reason().contains("what was read before is kept"));
        assertThat(found("comets")).containsExactly("Comets have tails.");
    }

    @Test
    void a_source_that_cannot_be_reached_now_is_reported_and_keeps_its_passages() throws IOException {
        var way = Files.createSymbolicLink(directory.resolve("way"), papers);
        Files.writeString(
                Files.createDirectories(papers.resolve("sky/far")).resolve("comets.txt"), "Comets have tails.");
        Files.writeString(Files.createDirectories(papers.resolve("sea")).resolve("whales.md"), "Whales sing.");
        var byName = way.resolve("sky").toString();
        var byPattern = way.resolve("sea/*.md").toString();
        rags.create(DOCS, List.of(byName, byPattern), WordEmbedder.NAME, Progress.SILENT, new Cancellation());
        Files.delete(way);
        Files.createSymbolicLink(way, way);

        var report = rebuild();

        assertThat(report.problems())
                .extracting(Problem::source)
                .containsExactlyInAnyOrder(byName, way.resolve("sea").toString());
        assertThat(report.problems()).allMatch(problem -> problem.reason().endsWith("; what was read before is kept"));
        assertThat(report)
                .extracting(BuildReport::removed, BuildReport::unchanged)
                .containsExactly(0, 2);
        assertThat(found("comets whales")).containsExactlyInAnyOrder("Comets have tails.", "Whales sing.");

        Files.delete(way);
        assertThat(rebuild().removed()).as("what is gone is gone").isEqualTo(2);
    }

    @Test
    void whoever_cancels_a_build_finds_the_collection_as_it_was() throws IOException {
        create();
        Files.writeString(papers.resolve("comets.txt"), "Comets have tails.");
        Files.writeString(papers.resolve("zebras.txt"), "Zebras have stripes.");
        var cancellation = new Cancellation();

        assertThatThrownBy(() -> rags.rebuild(
                        DOCS,
                        (_, _, document) -> {
                            if (document.endsWith("zebras.txt")) {
                                cancellation.cancel("enough");
                            }
                        },
                        cancellation))
                .isInstanceOf(Cancelled.class);

        assertThat(found("comets tails")).noneMatch(text -> text.contains("Comets"));
        assertThat(rebuild().added()).isEqualTo(2);
    }

    @Test
    void what_a_killed_build_left_behind_does_not_count_and_is_swept() throws IOException {
        create();
        var folder = directory.resolve("home/rags/docs");
        Files.createDirectories(folder.resolve(".building/index"));
        Files.writeString(folder.resolve(".building/index/junk"), "junk");
        Files.createDirectories(folder.resolve("000009"));

        assertThat(found("moon")).isNotEmpty();
        rebuild();

        try (var files = Files.list(folder)) {
            assertThat(files.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("current", "lock", "000010");
        }
    }

    @Test
    void a_collection_whose_making_was_cancelled_is_not_there_and_can_be_made() {
        var cancellation = new Cancellation();
        cancellation.cancel("enough");

        assertThatThrownBy(() ->
                        rags.create(DOCS, List.of(papers.toString()), WordEmbedder.NAME, Progress.SILENT, cancellation))
                .isInstanceOf(Cancelled.class);
        assertThat(rags.has(DOCS)).isFalse();
        assertThat(rags.list().rags()).isEmpty();
        assertThat(create().added()).isEqualTo(2);
    }

    @Test
    void one_builds_at_a_time_while_others_search() {
        create();
        var refused = new AtomicReference<Throwable>();
        var seen = new ArrayList<String>();

        rags.rebuild(
                DOCS,
                (_, _, _) -> {
                    refused.set(catchThrowable(() -> open().rebuild(DOCS, Progress.SILENT, new Cancellation())));
                    seen.addAll(found("moon"));
                },
                new Cancellation());

        assertThat(refused.get()).isInstanceOf(RagFailed.class).hasMessageContaining("being built");
        assertThat(seen).isNotEmpty();
    }

    @Test
    void who_holds_an_index_keeps_it_while_it_is_rebuilt() throws IOException {
        create();
        try (var lease = rags.cache().acquire(DOCS)) {
            Files.delete(papers.resolve("tides.txt"));
            rebuild();

            assertThat(lease.index().find("moon", 5, By.WORDS, new Cancellation()))
                    .isNotEmpty();
            assertThat(rags.search(DOCS, "moon", 5, By.WORDS, new Cancellation()))
                    .isEmpty();
        }
    }

    @Test
    void a_rebuild_by_another_process_is_noticed() throws IOException {
        create();
        try (var _ = rags.cache().acquire(DOCS)) {
            Files.writeString(papers.resolve("comets.txt"), "Comets have tails.");
            open().rebuild(DOCS, Progress.SILENT, new Cancellation());

            assertThat(found("comets tails").getFirst()).isEqualTo("Comets have tails.");
        }
    }

    @Test
    void sources_are_added_and_a_passage_keeps_its_id() throws IOException {
        create();
        var before = rags.search(DOCS, "moon", 1, By.BOTH, new Cancellation())
                .getFirst()
                .passage();
        var more = Files.createDirectories(directory.resolve("more"));
        Files.writeString(more.resolve("comets.txt"), "Comets have tails.");

        rags.add(DOCS, List.of(more.toString(), papers.toString()), Progress.SILENT, new Cancellation());

        assertThat(rags.manifest(DOCS).sources()).containsExactly(papers.toString(), more.toString());
        assertThat(rags.open(DOCS).recall(List.of("gone", before.id()))).containsExactly(before);
    }

    @Test
    void an_empty_collection_finds_nothing_and_an_unknown_one_is_refused() {
        rags.create(DOCS, List.of(), WordEmbedder.NAME, Progress.SILENT, new Cancellation());

        assertThat(found("anything")).isEmpty();
        assertThatThrownBy(this::create).isInstanceOf(RagFailed.class).hasMessageContaining("already");
        assertThatThrownBy(() -> rags.open(new RagKey.Named("other")))
                .isInstanceOf(RagFailed.class)
                .hasMessageContaining("skein rag list");
        assertThatThrownBy(() -> new RagKey.Named("../x")).isInstanceOf(InvalidRequest.class);
    }

    @Test
    void a_deleted_collection_is_gone_and_its_sources_are_not() {
        create();
        rags.delete(DOCS);

        assertThat(rags.has(DOCS)).isFalse();
        assertThat(directory.resolve("home/rags/docs")).doesNotExist();
        assertThat(papers.resolve("bees.md")).exists();
    }

    @Test
    void a_damaged_collection_is_told_and_does_not_hide_the_others() throws IOException {
        create();
        rags.create(new RagKey.Named("sound"), List.of(), WordEmbedder.NAME, Progress.SILENT, new Cancellation());
        Files.writeString(directory.resolve("home/rags/docs/000001/manifest.json"), "{");

        assertThat(rags.list().rags()).extracting(Rags.Listed::name).containsExactly("sound");
        assertThat(rags.list().problems()).singleElement().asString().contains("'docs' cannot be read");
        rags.delete(DOCS);
        assertThat(rags.list().problems()).isEmpty();
    }

    @Test
    void questions_of_any_kind_and_length_are_answered() {
        create();

        assertThat(found("the of and")).isNotEmpty();
        assertThat(found("moon AND (NOT \"queen* ~ ^2 : [a TO b]")).isNotEmpty();
        assertThat(found("moon ".repeat(100_000))).isNotEmpty();
        assertThat(found("  ")).isEmpty();
    }

    @Test
    void the_large_vectors_of_providers_fit() {
        var large = new Embedder() {
            @Override
            public String name() {
                return "test:large";
            }

            @Override
            public List<float[]> embed(List<String> texts, Role role, Cancellation cancellation) {
                return texts.stream()
                        .map(text -> {
                            var vector = new float[3072];
                            vector[text.contains("moon") ? 3071 : 0] = 1;
                            return vector;
                        })
                        .toList();
            }
        };
        rags = new Rags(directory.resolve("home"), _ -> large, Clock.systemUTC());
        create();

        assertThat(rags.search(DOCS, "moon", 1, By.MEANING, new Cancellation()))
                .singleElement()
                .matches(hit -> hit.passage().text().contains("The moon"));
    }

    @Test
    void what_is_no_text_or_secret_is_left_out_and_the_rest_is_read() throws IOException {
        Files.write(papers.resolve("picture.png"), new byte[] {1, 0, 2, 0});
        Files.write(papers.resolve("latin.txt"), new byte[] {'a', (byte) 0xE9, 'b'});
        Files.writeString(papers.resolve("id_rsa"), "secret");
        Files.writeString(papers.resolve("notes.txt"), "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n");
        Files.writeString(papers.resolve(".hidden"), "hidden words");
        Files.createDirectories(papers.resolve(".git"));
        Files.writeString(papers.resolve(".git/config"), "git words");
        Files.createSymbolicLink(papers.resolve("loop"), papers);
        Files.createSymbolicLink(papers.resolve("passwd"), Path.of("/etc/passwd"));
        Files.writeString(papers.resolve("empty.txt"), "");
        Files.writeString(papers.resolve("token.txt"), "The token is ghp_" + "a1B2c3D4e5".repeat(4));

        var report = create();

        assertThat(report.added()).isEqualTo(4);
        assertThat(report.problems())
                .extracting(problem -> Path.of(problem.source()).getFileName().toString())
                .containsExactlyInAnyOrder("picture.png", "latin.txt", "id_rsa", "notes.txt");
        assertThat(found("token").getFirst()).isEqualTo("The token is [REDACTED:github]");
    }

    @Test
    void a_pattern_takes_what_fits_and_an_own_home_is_left_out() throws IOException {
        Files.createDirectories(papers.resolve("deep/deeper"));
        Files.writeString(papers.resolve("deep/deeper/a.md"), "Deep words.");

        var pattern = Sources.normal("**/*.md", papers);
        rags.create(
                DOCS,
                List.of(pattern, directory.toString() + "/h*/**"),
                WordEmbedder.NAME,
                Progress.SILENT,
                new Cancellation());

        assertThat(rags.manifest(DOCS).documents().keySet())
                .containsExactlyInAnyOrder(
                        papers.resolve("bees.md").toString(),
                        papers.resolve("deep/deeper/a.md").toString());
        assertThatThrownBy(() -> Sources.normal("nowhere.txt", papers))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("there is no 'nowhere.txt'");
    }
}

package dev.skein.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.exchange.imports.Importer;
import dev.skein.exchange.imports.SessionFiles;
import dev.skein.exchange.imports.SourceFile;
import dev.skein.failure.InvalidRequest;
import dev.skein.message.Message;
import dev.skein.session.Exchange;
import dev.skein.session.Scope;
import dev.skein.store.ListQuery;
import dev.skein.store.file.FileSessionStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Files of other tools that were imported while they were being written, at any line, and again later.
class GrownFileTest {

    private static final Path SAMPLES = Path.of("..", "exchange", "src", "test", "resources", "samples");
    private static final Instant NOW = Instant.parse("2026-05-08T12:08:38Z");

    /// Notes and a summary in the middle of a loop, a prompt without an answer, and a way back to an older loop.
    private static final String WINDING = """
            {"type":"session","version":3,"id":"e99116ac-a6da-48fc-ad8b-2feca1c51551",\
            "timestamp":"2026-01-24T16:22:26Z"}
            {"type":"label","id":"l0","parentId":null,"targetId":"x","label":"before"}
            {"type":"message","id":"u1","parentId":null,"message":{"role":"user","content":"one"}}
            {"type":"message","id":"a1","parentId":"u1","message":{"role":"assistant","content":"first","model":"m"}}
            {"type":"message","id":"u2","parentId":"a1","message":{"role":"user","content":"two"}}
            {"type":"label","id":"l1","parentId":"u2","targetId":"u1","label":"between"}
            {"type":"message","id":"a2","parentId":"l1","message":{"role":"assistant",\
            "content":[{"type":"toolCall",            "id":"c1","name":"t","arguments":{}},{"type":"toolCall","id":"c2","name":"t","arguments":{}}]}}
            {"type":"message","id":"r1","parentId":"a2","message":{"role":"toolResult",\
            "toolCallId":"c1",            "toolName":"t","content":"r-one"}}
            {"type":"compaction","id":"k1","parentId":"r1","summary":"It began.","firstKeptEntryId":"u2"}
            {"type":"message","id":"r2","parentId":"k1","message":{"role":"toolResult",\
            "toolCallId":"c2",            "toolName":"t","content":"r-two"}}
            {"type":"message","id":"a3","parentId":"r2","message":{"role":"assistant","content":"second"}}
            {"type":"message","id":"u3","parentId":"a3","message":{"role":"user","content":"three"}}
            {"type":"label","id":"l2","parentId":"a1","targetId":"u1","label":"back"}
            {"type":"message","id":"u4","parentId":"l2","message":{"role":"user","content":"four"}}
            {"type":"message","id":"a4","parentId":"u4","message":{"role":"assistant","content":"fourth"}}
            {"type":"message","id":"a5","parentId":"u3","message":{"role":"assistant","content":"third after all"}}
            {"type":"message","id":"u6","parentId":"u1","message":{"role":"user","content":"six"}}
            {"type":"label","id":"l3","parentId":"a3","targetId":"u1","label":"at last"}
            """;

    @TempDir
    Path directory;

    /// A file, by its name and lines.
    record Grown(String name, List<String> lines) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Grown> files() throws Exception {
        var files = new ArrayList<Grown>();
        for (var tool : List.of("claude-code", "codex", "pi")) {
            try (var found = Files.list(SAMPLES.resolve(tool))) {
                for (var file : found.toList()) {
                    files.add(new Grown(file.getFileName().toString(), Files.readAllLines(file)));
                }
            }
        }
        assertThat(files).hasSize(3);
        files.add(new Grown("winding.jsonl", WINDING.lines().toList()));
        return files.stream();
    }

    @ParameterizedTest
    @MethodSource("files")
    void a_file_imported_at_any_line_and_again_is_the_conversation_it_would_have_been(Grown file) {
        var whole = imported("whole", file, List.of(file.lines().size()));

        assertThat(whole).isNotEmpty();
        for (int lines = 1; lines < file.lines().size(); lines++) {
            assertThat(imported(
                            "cut-" + lines, file, List.of(lines, file.lines().size())))
                    .as("after %d lines", lines)
                    .isEqualTo(whole);
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void a_file_imported_after_every_line_is_the_conversation_it_would_have_been(Grown file) {
        var every = new ArrayList<Integer>();
        for (int lines = 1; lines <= file.lines().size(); lines++) {
            every.add(lines);
        }

        assertThat(imported("every", file, every)).isEqualTo(imported("whole", file, List.of(every.getLast())));
    }

    @Test
    void a_session_that_went_on_here_too_is_not_continued() {
        var file = new Grown("winding.jsonl", WINDING.lines().toList());
        try (var store = FileSessionStore.open(directory)) {
            var brought = bring(store, file, 7).orElseThrow();
            try (var session = store.open(Scope.LOCAL, brought.id())) {
                session.append(Exchange.of(Cli.IDS, NOW, session.state().head(), "here", "yes"));
            }

            assertThatThrownBy(() -> bring(store, file, file.lines().size()))
                    .isInstanceOf(InvalidRequest.class)
                    .hasMessageContaining("--again");
        }
    }

    /// What a model sees and what was said at all, after imports of so many lines each.
    private List<List<String>> imported(String home, Grown file, List<Integer> counts) {
        try (var store = FileSessionStore.open(directory.resolve(home))) {
            for (var lines : counts) {
                bring(store, file, lines);
            }
            assertThat(bring(store, file, counts.getLast()).orElseThrow().outcome())
                    .isEqualTo(Importer.Outcome.UNCHANGED);
            var id = store.list(ListQuery.of(Scope.LOCAL)).sessions().getFirst().id();
            try (var session = store.open(Scope.LOCAL, id)) {
                var said = dev.skein.session.Session.replay(session.read(1)).loops().stream()
                        .flatMap(loop -> loop.messages().stream())
                        .map(GrownFileTest::text)
                        .toList();
                var seen = session.context(1_000).messages().stream()
                        .map(GrownFileTest::text)
                        .toList();
                return List.of(said, seen);
            }
        }
    }

    private static String text(Message message) {
        return message.role() + " " + message.id() + " " + message.parts();
    }

    private static Optional<Importer.Brought> bring(FileSessionStore store, Grown file, int lines) {
        var content = String.join("\n", file.lines().subList(0, lines)) + "\n";
        var source = new SourceFile(Path.of(file.name()), content.getBytes(StandardCharsets.UTF_8), NOW);
        var importer = new Importer(store, Clock.fixed(NOW, ZoneOffset.UTC), Cli.IDS);
        return SessionFiles.read(source).map(foreign -> importer.bring(foreign, null, false));
    }
}

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
import dev.skein.session.Session;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Files of other tools that were imported while they were being written, at any line, and again later.
class GrownFileTest {

    private static final Path SAMPLES = Path.of("..", "exchange", "src", "test", "resources", "samples");
    private static final Instant NOW = Instant.parse("2026-05-08T12:08:38Z");

    /// Notes and a summary in the middle of a loop, a prompt without an answer, and a way back to an older loop.
    private static final List<String> WINDING = List.of(
            """
            {"type":"session","version":3,"id":"e99116ac-a6da-48fc-ad8b-2feca1c51551",
             "timestamp":"2026-01-24T16:22:26Z"}""".replace("\n", ""),
            label("l0", null),
            said("u1", null, "user", "'one'"),
            said("a1", "u1", "assistant", "'first','model':'m'"),
            said("u2", "a1", "user", "'two'"),
            label("l1", "u2"),
            said("a2", "l1", "assistant", "[" + call("c1") + "," + call("c2") + "]"),
            said("r1", "a2", "toolResult", "'r-one','toolCallId':'c1','toolName':'t'"),
            "{'type':'compaction','id':'k1','parentId':'r1','summary':'It began.','firstKeptEntryId':'u2'}"
                    .replace('\'', '"'),
            said("r2", "k1", "toolResult", "'r-two','toolCallId':'c2','toolName':'t'"),
            said("a3", "r2", "assistant", "'second'"),
            said("u3", "a3", "user", "'three'"),
            label("l2", "a1"),
            said("u4", "l2", "user", "'four'"),
            said("a4", "u4", "assistant", "'fourth'"),
            said("a5", "u3", "assistant", "'third after all'"),
            said("u6", "u1", "user", "'six'"),
            label("l3", "a3"));

    private static String said(String id, @Nullable String parent, String role, String content) {
        return "{'type':'message','id':'%s','parentId':%s,'message':{'role':'%s','content':%s}}"
                .formatted(id, parent == null ? null : "'" + parent + "'", role, content)
                .replace('\'', '"');
    }

    private static String label(String id, @Nullable String parent) {
        return "{'type':'label','id':'%s','parentId':%s,'targetId':'u1','label':'here'}"
                .formatted(id, parent == null ? null : "'" + parent + "'")
                .replace('\'', '"');
    }

    private static String call(String id) {
        return "{'type':'toolCall','id':'" + id + "','name':'t','arguments':{}}";
    }

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
        files.add(new Grown("winding.jsonl", WINDING));
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
        var file = new Grown("winding.jsonl", WINDING);
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
                var said = Session.replay(session.read(1)).loops().stream()
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

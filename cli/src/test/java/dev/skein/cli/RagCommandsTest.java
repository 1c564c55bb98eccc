package dev.skein.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Documents on the command line, with the embedding model of this machine.
class RagCommandsTest {

    /// What only collections of documents need.
    private static final List<String> HEAVY = List.of(
            "org.apache.lucene.", "ai.onnxruntime.", "ai.djl.", "org.apache.pdfbox.", "org.commonmark.", "onnx.bge");

    @TempDir
    Path directory;

    private Cli cli;
    private Path papers;

    @BeforeEach
    void some_papers() throws IOException {
        cli = new Cli(Files.createDirectory(directory.resolve("home")));
        papers = Files.createDirectory(directory.resolve("papers"));
        Files.writeString(papers.resolve("leave.md"), "# Leave\n\nEverybody has thirty-one days off a year.\n");
        Files.writeString(papers.resolve("lunch.md"), "# Lunch\n\nThe canteen opens at noon.\n");
        Files.write(papers.resolve("logo.png"), new byte[] {0, 1, 2});
    }

    @Test
    void documents_are_collected_asked_listed_changed_and_deleted() throws IOException {
        var made = cli.run("rag", "create", "handbook", papers.toString());
        assertThat(made.err()).contains("logo.png: it is not a text");
        assertThat(made.out()).startsWith("handbook: 2 passages; documents: 2 new");

        var found = cli.run("rag", "search", "handbook", "how long may I go on holiday?", "--json");
        var best = found.json().path("passages").path(0);
        assertThat(best.path("source").asString()).endsWith("leave.md");
        assertThat(best.path("place").asString()).isEqualTo("Leave, lines 1-3");

        var asked = cli.run("--rag", "handbook", "--dry-run", "how long may I go on holiday?");
        assertThat(asked.json().path("messages").path(0).toString()).contains("thirty-one days", "[1] ", "leave.md");

        var answer = cli.run("--rag", "handbook", "-s", "job", "how long may I go on holiday?");
        assertThat(answer.code()).isZero();
        assertThat(journal()).contains("leave.md", "Leave, lines 1-3").doesNotContain("thirty-one days");

        Files.delete(papers.resolve("lunch.md"));
        assertThat(cli.run("rag", "rebuild", "handbook", "--json")
                        .json()
                        .path("removed")
                        .asInt())
                .isEqualTo(1);
        assertThat(cli.run("rag", "sources", "handbook").out())
                .contains("leave.md")
                .doesNotContain("lunch.md");
        assertThat(cli.run("rag", "list").out()).contains("handbook", "local:bge-small-en-v1.5");

        assertThat(cli.run("rag", "delete", "handbook").code()).isEqualTo(2);
        assertThat(cli.run("rag", "delete", "handbook", "--yes").code()).isZero();
        assertThat(cli.run("-s", "job", "and now?").err()).contains("there is no rag 'handbook'");
        assertThat(cli.run("--rag", "none", "-s", "job", "and now?").code()).isZero();
    }

    /// All that is kept of all sessions.
    private String journal() throws IOException {
        try (var files = Files.walk(cli.home)) {
            var text = new StringBuilder();
            for (var file : files.filter(path -> path.endsWith("journal.jsonl")).toList()) {
                text.append(Files.readString(file));
            }
            return text.toString();
        }
    }

    @Test
    void what_cannot_be_done_is_said_with_its_code() {
        assertThat(cli.run("rag", "search", "nothing", "x", "--json")
                        .errorJson()
                        .path("error")
                        .path("code")
                        .asString())
                .isEqualTo("rag.not_found");
        assertThat(cli.run("rag", "create", "a/b").err()).contains("cannot be the name of a rag");
        assertThat(cli.run("rag", "create", "x", "nowhere.txt").err()).contains("there is no 'nowhere.txt'");
        assertThat(cli.run("rag", "create", "x", "--embedding", "local:huge", papers.toString())
                        .err())
                .contains("there is no embedding model 'local:huge'");
        assertThat(cli.run("rag", "create", "x", "--embedding", "openai:small", papers.toString())
                        .err())
                .contains("OPENAI_API_KEY");
        assertThat(cli.run("rag", "create", "empty").code()).isZero();
        assertThat(cli.run("rag", "create", "empty").code()).isEqualTo(4);
        assertThat(cli.run("--rag", "nothing", "hello").code()).isEqualTo(3);
        assertThat(cli.run("rag").code()).isEqualTo(2);
    }

    @Test
    void nobody_else_pays_for_it() throws Exception {
        for (var args : List.of(List.of("--version"), List.of("session", "list"), List.of("rag", "list"))) {
            var loaded = classesLoadedBy(args);

            assertThat(loaded).as(args.toString()).contains("dev.skein.cli.Main");
            assertThat(HEAVY).as(args.toString()).noneMatch(loaded::contains);
        }
    }

    private String classesLoadedBy(List<String> args) throws IOException, InterruptedException {
        var log = Files.createTempFile(directory, "classes", ".txt");
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:class+load:file=" + log,
                "-cp",
                System.getProperty("java.class.path"),
                "dev.skein.cli.Main",
                "--home",
                cli.home.toString()));
        command.addAll(args);
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("said.txt").toFile())
                .start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        return Files.readString(log);
    }
}

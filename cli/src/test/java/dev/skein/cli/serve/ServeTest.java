package dev.skein.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cancellation.Cancellation;
import dev.skein.retrieval.RagKey;
import dev.skein.tools.rag.Progress;
import dev.skein.tools.rag.Rags;
import dev.skein.tools.rag.embedding.LocalEmbedder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The whole server, as people start it, on the file store.
@Timeout(180)
class ServeTest {

    @TempDir
    Path home;

    @Test
    void killed_in_the_middle_of_a_stream_it_loses_nothing_and_the_stream_goes_on_where_it_broke_off()
            throws Exception {
        var heard = new ArrayList<ServeProcess.Event>();
        try (var server = new ServeProcess(home)) {
            server.post("/v1/sessions", "{\"alias\":\"a\"}");
            server.post("/v1/sessions/a/completions", "{\"prompt\":\"hello\"}");
            try (var stream = server.stream(
                    "/v1/sessions/a/completions", "{\"prompt\":\"count to 300 slowly\",\"stream\":true}")) {
                heard.addAll(stream.until(
                        event -> event.data().path("text").asString("").contains("3")));
                server.kill();
            }
        }

        try (var server = new ServeProcess(home);
                var tail =
                        server.follow("/v1/sessions/a/events", heard.getLast().id())) {
            assertThat(server.get("/v1/sessions/a").path("status").asString()).isEqualTo("running");
            server.post("/v1/sessions/a/cancel", "{}");
            assertThat(server.post("/v1/sessions/a/completions", "{\"prompt\":\"are you there\"}")
                            .path("status")
                            .asString())
                    .isEqualTo("completed");

            heard.addAll(tail.until(event -> event.name().equals("finished")
                    && event.data().path("status").asString().equals("completed")));
            assertThat(heard).extracting(ServeProcess.Event::name).contains("started", "finished");
            var aborted = heard.stream()
                    .filter(event -> event.data().path("status").asString("").equals("aborted"))
                    .toList();
            assertThat(aborted).hasSize(1);
            var ids = heard.stream().map(ServeProcess.Event::id).toList();
            assertThat(ids).hasSize(new HashSet<>(ids).size());
            assertThat(server.get("/v1/sessions/a/loops").path("loops")).hasSize(3);
        }
    }

    @Test
    void told_to_stop_it_cuts_runs_short_within_the_bound_and_they_go_on_after_a_restart() throws Exception {
        try (var server = new ServeProcess(home, "--drain", "1")) {
            server.post("/v1/sessions", "{\"alias\":\"a\"}");
            try (var stream = server.stream(
                    "/v1/sessions/a/completions", "{\"prompt\":\"count to 300 slowly\",\"stream\":true}")) {
                stream.until(event -> event.name().equals("assistant_delta"));
                server.stop();
                var last =
                        stream.until(event -> event.name().equals("finished")).getLast();
                assertThat(last.data().path("status").asString()).isEqualTo("aborted");
                assertThat(last.data().path("reason").asString()).contains("the server stops");
            }
            server.ends();
        }
        try (var server = new ServeProcess(home)) {
            var stream = server.stream("/v1/sessions/a/continue", "{\"stream\":true}");
            var heard = stream.until(event -> event.name().equals("assistant_delta"));
            assertThat(heard.getFirst().name()).isEqualTo("started");
        }
    }

    @Test
    void a_request_that_was_cut_off_by_a_crash_is_not_run_twice() throws Exception {
        var body = "{\"prompt\":\"count to 300 slowly\",\"stream\":true}";
        try (var server = new ServeProcess(home)) {
            server.post("/v1/sessions", "{\"alias\":\"a\"}");
            try (var stream = server.streamOnce("/v1/sessions/a/completions", "key-1", body)) {
                stream.until(event -> event.name().equals("assistant_delta"));
                server.kill();
            }
        }
        try (var server = new ServeProcess(home);
                var stream = server.streamOnce("/v1/sessions/a/completions", "key-1", body)) {
            var last = stream.until(event -> event.name().equals("finished")).getLast();

            assertThat(last.data().path("status").asString()).isEqualTo("aborted");
            assertThat(server.get("/v1/sessions/a/loops").path("loops")).hasSize(1);
        }
    }

    @Test
    void only_the_token_opens_it_and_only_its_owner_can_read_that() throws Exception {
        try (var server = new ServeProcess(home)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve("server.token"))))
                    .isEqualTo("rw-------");
            assertThat(server.status("/v1/info")).isEqualTo(200);
            assertThat(curlStatus(server.url() + "/v1/info", "wrong")).isEqualTo("401");
        }
    }

    /// Every example of the page, as a person would type them, one after the other.
    @Test
    void every_example_of_the_http_page_runs() throws Exception {
        var script = new StringBuilder("set -eu\n");
        var inside = false;
        for (var line : Files.readAllLines(docs().resolve("http-api.md"))) {
            if (line.startsWith("```")) {
                inside = line.equals("```bash");
            } else if (inside) {
                script.append(line).append('\n');
            }
        }
        Files.writeString(
                Files.createDirectories(home.resolve("roles")).resolve("guide.md"), "You show people around.");
        Files.writeString(
                Files.createDirectories(home.resolve("schedules")).resolve("brief.yaml"),
                "at: 2099-12-31T18:00\nprompt: What is new?\n");
        Files.writeString(Files.createDirectories(home.resolve("agents/scout")).resolve("config.yaml"), """
                instructions: You know {{place}}.
                variables:
                  - name: place
                    description: Which place?
                """);
        Files.writeString(home.resolve("config.yaml"), "server:\n  channels:\n    telegram: [\"42\"]\n");
        var handbook = Files.createDirectories(home.resolve("handbook"));
        Files.writeString(handbook.resolve("leave.md"), "# Leave\n\nEverybody has thirty days off in a year.\n");
        new Rags(home, _ -> new LocalEmbedder(Rags.libraries(home)), Clock.systemUTC())
                .create(
                        new RagKey.Named("handbook"),
                        List.of(handbook.toString()),
                        null,
                        Progress.SILENT,
                        new Cancellation());
        try (var server = new ServeProcess(home)) {
            var file = Files.writeString(home.resolve("examples.sh"), script);
            var builder = new ProcessBuilder("bash", file.toString()).redirectErrorStream(true);
            builder.environment().put("SKEIN_HOME", home.toString());
            builder.environment().put("URL", server.url());
            var process = builder.start();
            var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(said).isZero();
            assertThat(said)
                    .contains("event: finished", "\"status\":\"waiting\"", "openapi: 3.1.0")
                    .contains("\"passages\":1", "\"rag\":\"handbook\"", "leave.md", "event: progress")
                    .containsPattern("\"citations\":\\[\\{\"number\":1,\"source\":\"[^\"]*leave.md\"");
        }
    }

    private static String curlStatus(String url, String token) throws IOException {
        var process = new ProcessBuilder(
                        "curl",
                        "-s",
                        "-o",
                        "/dev/null",
                        "-w",
                        "%{http_code}",
                        "-H",
                        "Authorization: Bearer " + token,
                        url)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    private static Path docs() {
        var here = Path.of("").toAbsolutePath();
        return Files.isDirectory(here.resolve("docs")) ? here.resolve("docs") : here.resolveSibling("docs");
    }
}

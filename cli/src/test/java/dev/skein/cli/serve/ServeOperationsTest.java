package dev.skein.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.skein.server.auth.KeyFile;
import dev.skein.wire.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// What those who run `skein serve` see of it: its log, its figures, its spans, and what it says when it cannot start.
@Timeout(180)
class ServeOperationsTest {

    private static final String CANARY = "canary-5f1e2d3c4b5a69788796";

    @TempDir
    Path home;

    @Test
    void a_running_server_logs_json_counts_what_happens_sends_spans_and_reads_its_settings_again() throws Exception {
        settings("requests_per_second: 0.01\n  requests_burst: 30");
        var prometheus = new KeyFile(home.resolve("keys.yaml"))
                .create("prometheus", List.of("admin:metrics"), Clock.systemUTC(), new SecureRandom())
                .key();
        var spans = new LinkedBlockingQueue<String>();
        var receiver = receiver(spans);
        var environment = Map.of(
                "OTEL_EXPORTER_OTLP_ENDPOINT",
                "http://127.0.0.1:" + receiver.getAddress().getPort(),
                "SOME_TOKEN",
                CANARY);
        try (var server = new ServeProcess(home, environment)) {
            var session =
                    server.post("/v1/sessions", "{\"alias\":\"a\"}").path("id").asString();
            var answer = server.post("/v1/sessions/a/completions", "{\"prompt\":\"hello " + CANARY + "\"}");

            var line = logged(server, "run completed");
            assertThat(line.path("level").asString()).isEqualTo("INFO");
            assertThat(line.path("session_id").asString()).isEqualTo(session);
            assertThat(line.path("loop_id").asString())
                    .isEqualTo(answer.path("loop_id").asString());
            assertThat(line.path("request_id").asString())
                    .isEqualTo(answer.path("request_id").asString());
            assertThat(line.path("subject").asString()).isEqualTo("local");

            spendAllRequests(server);
            var figures = server.getAs(prometheus, "/metrics");
            assertThat(figures)
                    .contains("runs_total{status=\"completed\"} 1.0")
                    .contains("route=\"/v1/sessions/{id}/completions\",status=\"200\"} 1.0")
                    .contains("http_request_duration_seconds_count{")
                    .contains("rate_limit_rejections_total{reason=\"rate\"} 1.0")
                    .contains("tokens_total{direction=\"output\",model=\"offline:")
                    .contains("sessions_active_total 0.0")
                    .contains("mcp_pool_size 0.0")
                    .contains("streams_open 0.0");

            settings("requests_per_second: 1000\n  hosts: [skein.example.org]");
            server.hangUp();
            logged(server, "settings and keys were read again");
            assertThat(server.status("/v1/info")).isEqualTo(200);
            settings("port: many\n  colour: red");
            server.hangUp();
            assertThat(logged(server, "nothing was changed").path("message").asString())
                    .contains("server.port")
                    .contains("server.colour");
            assertThat(server.status("/v1/info")).isEqualTo(200);

            server.stop();
            server.ends();
            assertThat(server.log()).doesNotContain(CANARY);
            assertThat(server.log().lines())
                    .allSatisfy(each ->
                            assertThat(Json.MAPPER.readTree(each).isObject()).isTrue());
        } finally {
            receiver.stop(0);
        }
        var sent = String.join("\n", spans);
        assertThat(sent)
                .contains("POST /v1/sessions/{id}/completions", "invoke_agent skein", "gen_ai.conversation.id")
                .doesNotContain(CANARY);
    }

    @Test
    void on_a_taken_port_it_says_so_in_one_sentence() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var port = Integer.toString(taken.getLocalPort());

            var refused = ServeProcess.refused(home, "--port", port);

            assertThat(refused.code()).isEqualTo(4);
            assertThat(refused.out()).isEmpty();
            assertThat(refused.err().lines())
                    .containsExactly("skein: cannot listen on 127.0.0.1:" + port
                            + " (Address already in use); choose another --port, or stop what listens there");
        }
    }

    @Test
    void with_broken_settings_it_does_not_start_and_lists_all_that_is_wrong() throws Exception {
        settings("port: many\n  host: example.org\n  colour: red\n  auth: maybe");

        var refused = ServeProcess.refused(home);

        assertThat(refused.code()).isNotZero();
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err())
                .contains("server.port", "server.host", "server.colour", "server.auth")
                .doesNotContain("\tat ");
    }

    private void settings(String server) throws IOException {
        Files.writeString(home.resolve("config.yaml"), "server:\n  " + server + "\n");
    }

    private static void spendAllRequests(ServeProcess server) throws Exception {
        for (int i = 0; i < 31; i++) {
            if (server.status("/v1/info") == 429) {
                return;
            }
        }
        throw new AssertionError("nobody was slowed down");
    }

    /// The line of the log that has this in its message.
    private static JsonNode logged(ServeProcess server, String words) {
        await(() -> server.log().lines().anyMatch(line -> line.contains(words)));
        return server.log()
                .lines()
                .filter(line -> line.contains(words))
                .map(Json.MAPPER::readTree)
                .findFirst()
                .orElseThrow();
    }

    private static HttpServer receiver(LinkedBlockingQueue<String> spans) throws IOException {
        var receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/v1/traces", exchange -> {
            // Names and values are plain text in the binary form.
            spans.add(new String(unzipped(exchange.getRequestBody().readAllBytes()), StandardCharsets.ISO_8859_1));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        receiver.start();
        return receiver;
    }

    private static byte[] unzipped(byte[] bytes) throws IOException {
        var zipped = bytes.length > 2 && bytes[0] == (byte) 0x1f && bytes[1] == (byte) 0x8b;
        return zipped ? new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes() : bytes;
    }

    private static void await(BooleanSupplier condition) {
        var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("it never came to that");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }
}

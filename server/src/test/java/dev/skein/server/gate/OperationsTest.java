package dev.skein.server.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.engine.Hooks;
import dev.skein.model.ModelName;
import dev.skein.server.auth.Grant;
import dev.skein.server.trace.RequestSpan;
import dev.skein.server.trace.Traces;
import dev.skein.wire.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What those who run the server get to see.
class OperationsTest {

    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    @TempDir
    Path home;

    private final List<String> spans = new CopyOnWriteArrayList<>();
    private GateServer server;

    @BeforeEach
    void start() {
        server = new GateServer(home, GateOptions.STANDARD, null, new Noting());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void metrics_are_for_those_who_may_and_know_routes_not_paths() throws Exception {
        var key = server.newKey("prometheus", Grant.ADMIN_METRICS);
        server.gate.reload(GateOptions.STANDARD);
        for (int i = 0; i < 50; i++) {
            server.get("/v1/sessions/session-" + i, server.localToken);
            server.get("/nowhere/" + i, server.localToken);
        }
        server.send(server.request("/v1/sessions/x"));
        server.await(() -> server.meters.scrape().contains("status=\"401\"} 1.0"));

        var answer = server.get("/metrics", key);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/plain");
        assertThat(answer.body())
                .contains("http_requests_total{method=\"GET\",route=\"/v1/sessions/{id}\",status=\"200\"} 50.0")
                .contains("http_requests_total{method=\"GET\",route=\"/v1/sessions/{id}\",status=\"401\"} 1.0")
                .contains("http_requests_total{method=\"GET\",route=\"none\",status=\"404\"} 50.0")
                .contains("auth_failures_total{reason=\"no_key\"} 1.0")
                .contains("sessions_active_total 0.0")
                .doesNotContain("session-1")
                .doesNotContain("nowhere");
    }

    @Test
    void a_server_that_stops_is_live_and_not_ready_and_says_no_more() throws Exception {
        assertThat(server.send(server.request("/healthz/ready")).body()).isEqualTo("{\"status\":\"ready\"}");

        server.health.drain();

        var ready = server.send(server.request("/healthz/ready"));
        assertThat(ready.statusCode()).isEqualTo(503);
        assertThat(ready.body()).isEqualTo("{\"status\":\"not ready\"}");
        assertThat(server.send(server.request("/healthz/live")).statusCode()).isEqualTo(200);
    }

    @Test
    void a_probe_may_use_any_host_name_and_nobody_else() throws Exception {
        try (var raw = server.raw()) {
            assertThat(raw.say("GET /healthz/ready HTTP/1.1\r\nHost: 10.0.0.7:3400\r\n\r\n")
                            .answer())
                    .startsWith("HTTP/1.1 200");
            assertThat(raw.say("GET / HTTP/1.1\r\nHost: 10.0.0.7:3400\r\n\r\n").answer())
                    .startsWith("HTTP/1.1 421");
        }
    }

    @Test
    void changes_and_refusals_are_written_down_and_looking_is_not() throws Exception {
        server.get("/v1/sessions/looked-at", server.localToken);
        server.send(
                server.request("/v1/sessions/gone", server.localToken).DELETE().header("X-Request-Id", "r-1"));
        server.send(server.request("/v1/sessions/tried").DELETE().header("X-Request-Id", "r-2"));
        server.await(() -> lineCount() == 2);

        var lines = Files.readAllLines(home.resolve("audit.log")).stream()
                .map(Json.MAPPER::readTree)
                .toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0).get("action").asString()).isEqualTo("DELETE /v1/sessions/{id}");
        assertThat(lines.get(0).get("subject").asString()).isEqualTo("local");
        assertThat(lines.get(0).get("proof").asString()).isEqualTo("LOCAL_TOKEN:local");
        assertThat(lines.get(0).get("session").asString()).isEqualTo("gone");
        assertThat(lines.get(0).get("outcome").asString()).isEqualTo("200");
        assertThat(lines.get(0).get("request_id").asString()).isEqualTo("r-1");
        assertThat(lines.get(0).get("remote").asString()).isEqualTo("127.0.0.1");
        assertThat(lines.get(1).get("outcome").asString()).isEqualTo("auth.required");
        assertThat(lines.get(1).has("subject")).isFalse();
    }

    @Test
    void every_request_that_gets_through_has_a_span_within_the_clients_trace() throws Exception {
        server.send(server.request("/v1/sessions/x", server.localToken)
                .header("traceparent", PARENT)
                .header("X-Request-Id", "r-1"));
        server.send(server.request("/v1/sessions/x"));
        server.await(() -> spans.size() >= 3);

        assertThat(spans).containsExactly("GET /v1/sessions/{id} r-1 " + PARENT, "answered 200", "closed");
    }

    private long lineCount() {
        try (var lines = Files.lines(home.resolve("audit.log"))) {
            return lines.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Notes what it is told.
    private final class Noting implements Traces {

        @Override
        public RequestSpan request(Incoming request) {
            spans.add(
                    request.method() + " " + request.route() + " " + request.requestId() + " " + request.traceparent());
            return new RequestSpan() {
                @Override
                public void answered(int status) {
                    spans.add("answered " + status);
                }

                @Override
                public Hooks hooks(@Nullable ModelName model, @Nullable String session) {
                    return Hooks.NONE;
                }

                @Override
                public void close() {
                    spans.add("closed");
                }
            };
        }

        @Override
        public void close() {}
    }
}

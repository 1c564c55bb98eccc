package dev.skein.tools.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.skein.cancellation.Cancellation;
import dev.skein.tools.mcp.client.McpClient;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.wire.McpFailure;
import dev.skein.tools.mcp.wire.McpFailure.Kind;
import dev.skein.tools.mcp.wire.WireJson;
import dev.skein.wire.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// Servers over HTTP: sessions, streams, and those that mean no good.
class HttpServerTest {

    private static final String GREETING = "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}}}";
    private static final String TOOLS = "{\"tools\":[{\"name\":\"good\",\"inputSchema\":{\"type\":\"object\"}}]}";

    private final List<Seen> seen = new CopyOnWriteArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile Answer calls = (exchange, id) -> json(exchange, id, "{\"content\":[]}");
    private HttpServer server;

    private record Seen(String http, String method, Map<String, List<String>> headers) {}

    private interface Answer {
        void to(HttpExchange exchange, String id) throws IOException;
    }

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/mcp", this::serve);
        server.start();
    }

    @AfterEach
    void stop() {
        ended.countDown();
        server.stop(0);
    }

    @Test
    void a_session_is_kept_named_in_every_request_and_ended() throws Exception {
        try (var client = open(Map.of("Authorization", "Bearer token-1"))) {
            call(client);
        }

        assertThat(seen).extracting(Seen::method).contains("initialize", "notifications/initialized", "tools/call");
        assertThat(seen)
                .allSatisfy(request ->
                        assertThat(request.headers().get("Authorization")).containsExactly("Bearer token-1"));
        assertThat(seen)
                .filteredOn(request -> !request.method().equals("initialize"))
                .allSatisfy(request -> {
                    assertThat(request.headers().get("Mcp-session-id")).containsExactly("session-1");
                    assertThat(request.headers().get("Mcp-protocol-version")).containsExactly("2025-11-25");
                });
        assertThat(seen.getLast().http()).isEqualTo("DELETE");
    }

    @Test
    void an_answer_can_come_on_a_stream_with_other_things_before_it() throws Exception {
        calls = (exchange, id) -> events(
                exchange,
                ": hello\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
                        + "{\"progressToken\":" + id + ",\"progress\":1,\"total\":2,\"message\":\"half\"}}\n\n"
                        + "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":" + id + ",\ndata: \"result\":"
                        + "{\"content\":[{\"type\":\"text\",\"text\":\"streamed\"}]}}\n\n");
        var told = new CopyOnWriteArrayList<String>();
        try (var client = open(Map.of())) {
            var tool = client.tools(new Cancellation()).tools().getFirst();
            var result = client.call(tool, WireJson.object(), told::add, new Cancellation());

            assertThat(result.path("content").path(0).path("text").asString("")).isEqualTo("streamed");
            assertThat(told).containsExactly("half (1 of 2)");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "301, UNREACHABLE, not followed",
        "308, UNREACHABLE, not followed",
        "401, UNAUTHORIZED, refuses us",
        "403, UNAUTHORIZED, refuses us",
        "500, ERROR, HTTP 500",
        "404, ENDED, forgotten our session"
    })
    void a_refusal_is_a_typed_failure_and_credentials_go_nowhere_else(int status, Kind kind, String words)
            throws Exception {
        var elsewhere = new CopyOnWriteArrayList<String>();
        server.createContext("/elsewhere", exchange -> {
            elsewhere.add(exchange.getRequestMethod());
            exchange.sendResponseHeaders(200, -1);
        });
        calls = (exchange, _) -> {
            exchange.getResponseHeaders().add("Location", "/elsewhere");
            exchange.sendResponseHeaders(status, -1);
        };
        try (var client = open(Map.of("Authorization", "Bearer token-1"))) {
            assertFails(client, kind, words);
        }
        assertThat(elsewhere).isEmpty();
    }

    @Test
    void an_answer_without_end_is_cut_off() throws Exception {
        calls = (exchange, _) -> {
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, 0);
            var spaces = " ".repeat(100_000).getBytes(UTF_8);
            while (true) {
                exchange.getResponseBody().write(spaces);
            }
        };
        try (var client = open(Map.of())) {
            assertFails(client, Kind.TOO_MUCH, "sends too much");
        }
    }

    @Test
    void an_event_without_end_is_cut_off() throws Exception {
        calls = (exchange, _) -> {
            exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            var data = ("data: " + "x".repeat(100_000) + "\n").getBytes(UTF_8);
            while (true) {
                exchange.getResponseBody().write(data);
            }
        };
        try (var client = open(Map.of())) {
            assertFails(client, Kind.TOO_MUCH, "sends too much");
        }
    }

    @Test
    void a_server_that_says_nothing_is_given_up() throws Exception {
        calls = (_, _) -> {
            try {
                ended.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        };
        try (var client = open(Map.of(), Duration.ofMillis(500))) {
            assertFails(client, Kind.TIMEOUT, "did not answer tools/call");
            Servers.await(
                    "the notification",
                    () -> seen.stream().anyMatch(request -> request.method().equals("notifications/cancelled")));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "text/html, <p>hello, neither JSON nor events",
        "application/json, {, what is no message",
        "application/json, '{\"jsonrpc\":\"2.0\",\"id\":77777,\"result\":{}}', something else"
    })
    void an_answer_that_is_none_is_a_typed_failure(String type, String body, String words) throws Exception {
        calls = (exchange, _) -> {
            exchange.getResponseHeaders().add("Content-Type", type);
            exchange.sendResponseHeaders(200, body.length());
            exchange.getResponseBody().write(body.getBytes(UTF_8));
            exchange.close();
        };
        try (var client = open(Map.of())) {
            assertFails(client, Kind.PROTOCOL, words);
        }
    }

    @Test
    void a_stream_that_breaks_before_the_answer_is_a_failure_if_it_cannot_be_taken_up_again() throws Exception {
        calls = (exchange, _) -> events(exchange, "data: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n");
        try (var client = open(Map.of())) {
            assertFails(client, Kind.ENDED, "before it was complete");
        }
    }

    @Test
    void a_server_that_is_not_there_is_a_failure_that_names_it() {
        server.stop(0);

        assertThatThrownBy(() -> open(Map.of()))
                .isInstanceOfSatisfying(
                        McpFailure.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE))
                .hasMessageContaining("'web'");
    }

    private void assertFails(McpClient client, Kind kind, String words) {
        assertThatThrownBy(() -> call(client))
                .isInstanceOfSatisfying(
                        McpFailure.class, e -> assertThat(e.kind()).isEqualTo(kind))
                .hasMessageContaining(words);
    }

    private McpClient open(Map<String, String> headers) throws InterruptedException {
        return open(headers, Duration.ofMinutes(1));
    }

    private McpClient open(Map<String, String> headers, Duration timeout) throws InterruptedException {
        var url = URI.create("http://localhost:" + server.getAddress().getPort() + "/mcp");
        var web =
                McpServer.of("web", new McpServer.Reach.Web(url, headers)).withTimeouts(timeout, Duration.ofMinutes(1));
        return McpClient.open(web, Servers.terms(Path.of("")), new Cancellation());
    }

    private static JsonNode call(McpClient client) throws InterruptedException {
        var tool = client.tools(new Cancellation()).tools().getFirst();
        return client.call(tool, WireJson.object(), _ -> {}, new Cancellation());
    }

    private void serve(HttpExchange exchange) throws IOException {
        var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        var message = Json.MAPPER.readTree(body.isEmpty() ? "{}" : body);
        var method = message.path("method").asString("");
        seen.add(new Seen(exchange.getRequestMethod(), method, Map.copyOf(exchange.getRequestHeaders())));
        var id = message.path("id").toString();
        switch (method) {
            case "initialize" -> {
                exchange.getResponseHeaders().add("Mcp-Session-Id", "session-1");
                json(exchange, id, GREETING);
            }
            case "tools/list" -> json(exchange, id, TOOLS);
            case "tools/call" -> calls.to(exchange, id);
            case "" -> {
                exchange.sendResponseHeaders(405, -1);
                exchange.close();
            }
            default -> {
                exchange.sendResponseHeaders(202, -1);
                exchange.close();
            }
        }
    }

    private static void json(HttpExchange exchange, String id, String result) throws IOException {
        var body = ("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}").getBytes(UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json; charset=utf-8");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static void events(HttpExchange exchange, String events) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write(events.getBytes(UTF_8));
        exchange.close();
    }
}

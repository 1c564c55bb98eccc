package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.server.route.Route;
import dev.skein.wire.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Whatever is sent, the answer is an error that says why: never a defect, never silence.
class BadInputTest {

    private static final int TRIES = Integer.getInteger("skein.tries", 12);
    private static final long SEED = Long.getLong("skein.seed", 4711);
    private static final int SILENCE_MILLIS = 60_000;

    private static TestServer server;
    private static Client ann;

    @BeforeAll
    static void start() {
        server = new TestServer();
        ann = server.client("ann");
        ann.create("{\"alias\":\"a\"}");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "7",
                "null",
                "{\"prompt\":7}",
                "{\"prompt\":null}",
                "{\"prompt\":\"\"}",
                "{\"prompt\":\" \"}",
                "{\"prompt\":\"x\",\"prompt\":\"y\"}",
                "{\"prompt\":\"x\"} trailing",
                "{\"prompt\":\"x\"}{\"prompt\":\"y\"}",
                "{\"prompt\":\"\\ud800\"}",
                "{\"prompt\":\"x\",\"metadata\":{\"\\udfff\":1}}",
                "{\"prompt\":\"x\",\"temperature\":\"hot\"}",
                "{\"prompt\":\"x\",\"temperature\":1e999}",
                "{\"prompt\":\"x\",\"temperature\":-1}",
                "{\"prompt\":\"x\",\"stream\":\"yes\"}",
                "{\"prompt\":\"x\",\"tools\":[7]}",
                "{\"prompt\":\"x\",\"tools\":\"look\"}",
                "{\"prompt\":\"x\",\"model\":\"none\"}",
                "{\"prompt\":\"x\",\"on_disconnect\":\"explode\"}",
                "{\"prompt\":\"x\",\"files\":{}}",
                "{\"prompt\":\"x\",\"metadata\":[]}",
                "{\"prompt\":\"x\",\"role\":\"poet\"}",
                "{'prompt':'x'}",
                "{\"prompt\":\"x\",}"
            })
    void a_body_that_is_wrong_is_refused_and_nothing_happens(String body) {
        var before = ann.get("/v1/sessions/a").json();

        ann.post("/v1/sessions/a/completions", body).is(400);

        assertThat(ann.get("/v1/sessions/a").json()).isEqualTo(before);
    }

    @Test
    void the_wrong_field_is_named() {
        assertThat(ann.post("/v1/sessions/a/completions", "{\"prompt\":7}").body())
                .contains("'prompt' must be a text");
        assertThat(ann.post("/v1/sessions/a/completions", "{}").body()).contains("'prompt' is missing");
        assertThat(ann.post("/v1/sessions/a/completions", "{\"prompt\":\"x\",\"files\":[{\"name\":1}]}")
                        .body())
                .contains("'files[0].name'");
    }

    @Test
    void bombs_are_refused() {
        var path = "/v1/sessions/a/completions";
        ann.post(path, "{\"prompt\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}")
                .is(400);
        ann.post(path, "{\"temperature\":" + "1".repeat(900_000) + "}").is(400);
        ann.post(path, "{\"" + "k".repeat(100_000) + "\":1}").is(400);
        var large = ann.post(path, "{\"prompt\":\"" + "x".repeat(1024 * 1024) + "\"}");
        assertThat(large.is(413).code()).isEqualTo("request.too_large");
    }

    @Test
    void other_types_and_other_methods_and_other_paths_are_refused() {
        assertThat(ann.with("Content-Type", "text/plain")
                        .post("/v1/sessions", "{}")
                        .is(415)
                        .code())
                .isEqualTo("request.invalid");
        ann.with("Content-Type", "application/jsonx").post("/v1/sessions", "{}").is(415);
        ann.with("Content-Type", "application/json; charset=utf-8")
                .post("/v1/sessions", "{}")
                .is(201);
        var wrong = ann.send("PUT", "/v1/sessions", "{}").is(405);
        assertThat(wrong.header("Allow")).isEqualTo("GET, POST");
        assertThat(ann.send("OPTIONS", "/v1/sessions/a", null).is(405).header("Allow"))
                .isEqualTo("DELETE, GET, PATCH");
        ann.get("/v1/sessions//").is(400);
        for (var path : List.of("/v1", "/v2/sessions", "/v1/sessions/", "/V1/sessions")) {
            assertThat(ann.get(path).is(404).code()).isEqualTo("request.not_found");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "..",
                "%2e%2e",
                "a%2Fb",
                "%00",
                "%0a",
                "%0d%0aX:%201",
                "CON",
                "nul.txt",
                "trail.",
                "trail%20",
                "%ff",
                "%e2%80%ae",
                "%",
                "%zz"
            })
    void ids_that_are_none_are_refused(String name) throws IOException {
        var answer = raw("GET /v1/sessions/" + name + " HTTP/1.1\r\n" + HEADERS + "\r\n");

        assertThat(answer).matches("(?s)HTTP/1.1 (400|404) .*");
        assertThat(answer).doesNotContain("\r\nX: 1");
    }

    @Test
    void long_names_are_refused() {
        ann.get("/v1/sessions/" + "x".repeat(300)).is(400);
        ann.get("/v1/search?q=" + "x".repeat(2_000)).is(400);
    }

    @ParameterizedTest
    @EnumSource(Route.class)
    void no_route_has_a_defect_that_random_bodies_and_queries_can_find(Route route) {
        if (route == Route.EVENTS) {
            return;
        }
        var random = new Random(SEED + route.name().hashCode());
        // One of its own: whatever becomes of it, the other tests do not need it.
        var own = "random-" + route.name().toLowerCase(Locale.ROOT);
        ann.create("{\"alias\":\"" + own + "\"}");
        for (int i = 0; i < TRIES; i++) {
            var name = random.nextInt(3) == 0 ? randomName(random) : own;
            var path = route.path()
                            .replace("{id}", name)
                            .replace("{call}", randomName(random))
                            .replace("{channel}", randomName(random))
                            .replace("{chat}", randomName(random))
                            .replace("{version}", randomName(random))
                            .replace("{file}", randomName(random))
                            .replace("{name}", randomName(random))
                    + (random.nextBoolean() ? "?" + randomQuery(random) : "");
            var body = route.method().equals("GET") || route == Route.DELETE_SESSION ? null : randomBody(random);

            var answer = ann.send(route.method(), path, body);

            assertThat(answer.status())
                    .as("seed " + SEED + " " + path + " " + body)
                    .isLessThan(500);
        }
    }

    private static final List<String> NAMES = List.of(
            "prompt",
            "alias",
            "description",
            "model",
            "temperature",
            "tools",
            "stream",
            "metadata",
            "files",
            "at",
            "branches",
            "choose",
            "approved",
            "note",
            "remove",
            "owner",
            "seq",
            "on_disconnect",
            "system",
            "top_p",
            "compression_threshold",
            "reasoning_effort");

    private static String randomBody(Random random) {
        var object = Json.MAPPER.createObjectNode();
        for (int i = random.nextInt(5); i >= 0; i--) {
            object.set(NAMES.get(random.nextInt(NAMES.size())), randomValue(random, 3));
        }
        var text = object.toString();
        return switch (random.nextInt(8)) {
            case 0 -> text.substring(0, random.nextInt(text.length()));
            case 1 -> text + randomName(random);
            default -> text;
        };
    }

    private static tools.jackson.databind.JsonNode randomValue(Random random, int depth) {
        var mapper = Json.MAPPER;
        return switch (random.nextInt(depth > 0 ? 9 : 7)) {
            case 0 -> mapper.nullNode();
            case 1 -> mapper.getNodeFactory().booleanNode(random.nextBoolean());
            case 2 -> mapper.getNodeFactory().numberNode(random.nextLong());
            case 3 -> mapper.getNodeFactory().numberNode(random.nextGaussian());
            case 4 -> mapper.getNodeFactory().stringNode("hello");
            case 5 -> mapper.getNodeFactory().stringNode("talking:model");
            case 6 -> mapper.getNodeFactory().stringNode("\u0000\r\n\u2028\"" + random.nextInt());
            case 7 ->
                mapper.createArrayNode().add(randomValue(random, depth - 1)).add(randomValue(random, depth - 1));
            default -> mapper.createObjectNode().set("name", randomValue(random, depth - 1));
        };
    }

    private static String randomName(Random random) {
        var letters = "abcXYZ019-_.~%20%C3%A4";
        var name = new StringBuilder();
        for (int i = 1 + random.nextInt(12); i > 0; i--) {
            name.append(letters.charAt(random.nextInt(12)));
        }
        return name.append(random.nextInt(4) == 0 ? "%C3%A4" : "").toString();
    }

    private static String randomQuery(Random random) {
        var names = List.of("limit", "cursor", "owner", "agent", "q", "text", "alias", "format");
        return names.get(random.nextInt(names.size())) + "=" + randomName(random) + "&q=" + randomName(random);
    }

    private static final String HEADERS = "Host: localhost\r\nAuthorization: Bearer ann\r\nConnection: close\r\n";

    @Test
    void what_is_not_http_gets_an_answer_and_the_server_lives_on() throws IOException {
        var random = new Random(SEED);
        for (var request : List.of(
                "GARBAGE\r\n\r\n",
                "GET  HTTP/1.1\r\n\r\n",
                "GET /v1/info HTTP/9.9\r\n" + HEADERS + "\r\n",
                "GET /v1/info HTTP/1.1\r\nHost: a\r\nHost: b\r\n" + HEADERS + "\r\n",
                "GET /v1/info HTTP/1.1\r\nBad Header\r\n" + HEADERS + "\r\n",
                "GET /v1/info?a=%zz HTTP/1.1\r\n" + HEADERS + "\r\n",
                "GET /v1/sessions?limit=%ff HTTP/1.1\r\n" + HEADERS + "\r\n",
                "POST /v1/sessions HTTP/1.1\r\n" + HEADERS + "Content-Length: -5\r\n\r\n",
                "POST /v1/sessions HTTP/1.1\r\n" + HEADERS + "Content-Length: 10000000000\r\n\r\n{",
                "POST /v1/sessions HTTP/1.1\r\n" + HEADERS
                        + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                "GET /" + "x".repeat(10_000) + " HTTP/1.1\r\n" + HEADERS + "\r\n",
                "GET /v1/info HTTP/1.1\r\nX: " + "y".repeat(40_000) + "\r\n" + HEADERS + "\r\n")) {
            var answer = raw(request);
            assertThat(answer)
                    .as(shortened(request))
                    .doesNotContain("HTTP/1.1 500")
                    .doesNotContain("Exception");
            if (!answer.isEmpty()) {
                assertThat(answer).as(shortened(request)).startsWith("HTTP/1.1 4");
            }
        }
        for (int i = 0; i < 20; i++) {
            var bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            assertThat(raw(new String(bytes, StandardCharsets.ISO_8859_1) + "\r\n\r\n"))
                    .doesNotContain(" 500 ");
        }
        ann.get("/v1/info").is(200);
    }

    @Test
    void a_body_without_end_is_refused_at_the_limit() throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.server.port())) {
            socket.setSoTimeout(SILENCE_MILLIS);
            var out = socket.getOutputStream();
            out.write(("POST /v1/sessions HTTP/1.1\r\n" + HEADERS
                            + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
                    .getBytes(StandardCharsets.UTF_8));
            var chunk = ("10000\r\n" + " ".repeat(0x10000) + "\r\n").getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < 17; i++) {
                out.write(chunk);
            }
            out.flush();
            var head = new String(socket.getInputStream().readNBytes(12), StandardCharsets.UTF_8);
            assertThat(head).isEqualTo("HTTP/1.1 413");
        }
    }

    private static String shortened(String text) {
        return text.length() > 100 ? text.substring(0, 100) : text;
    }

    /// What comes back until the server closes; empty if it only closes.
    private static String raw(String request) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.server.port())) {
            socket.setSoTimeout(SILENCE_MILLIS);
            try {
                socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
                socket.shutdownOutput();
            } catch (IOException _) {
                // It may have heard enough.
            }
            var answer = new ByteArrayOutputStream();
            try {
                socket.getInputStream().transferTo(answer);
            } catch (java.net.SocketTimeoutException e) {
                throw e;
            } catch (IOException _) {
                // Closed with a reset, because it did not read everything.
            }
            return answer.toString(StandardCharsets.UTF_8);
        }
    }
}

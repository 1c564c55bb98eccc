package dev.skein.tools.openapi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.skein.cancellation.Cancellation;
import dev.skein.failure.Cancelled;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolSpec;
import dev.skein.tools.call.Calls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Documents of services, and a real one behind them that says what it was asked.
class OpenApiToolsTest {

    private static final String ZOO = """
            {"openapi": "3.1.0", "servers": [{"url": "BASE/v1/"}],
             "x-skein-headers": {"Authorization": "Bearer ${ZOO_TOKEN}"},
             "components": {
               "parameters": {"id": {"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}},
               "schemas": {"Animal": {"type": "object", "properties": {"name": {"type": "string"},
                 "children": {"type": "array", "items": {"$ref": "#/components/schemas/Animal"}}}}}},
             "paths": {
               "/animals/{id}": {"parameters": [{"$ref": "#/components/parameters/id"}],
                 "get": {"operationId": "getAnimal", "summary": "Shows an animal.", "parameters": [
                   {"name": "with", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}},
                   {"name": "X-Trace", "in": "header", "schema": {"type": "string"}},
                   {"name": "Authorization", "in": "header", "schema": {"type": "string"}}]}},
               "/animals": {"post": {"operationId": "add animal", "requestBody": {"required": true,
                 "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Animal"}}}}}},
               "/missing": {"get": {"operationId": "missing"}},
               "/elsewhere": {"get": {"operationId": "elsewhere"}},
               "/slow": {"get": {"operationId": "slow"}},
               "/picture": {"post": {"operationId": "picture", "requestBody": {"required": true,
                 "content": {"image/png": {}}}}},
               "/far": {"post": {"operationId": "far", "requestBody": {"content": {"application/json":
                 {"schema": {"$ref": "http://example.org/schema.json"}}}}}}}}
            """;

    @TempDir
    Path functions;

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private HttpServer service;
    private OpenApiTools loaded;

    @BeforeEach
    void open() throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
        service.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        service.createContext("/", this::answer);
        service.start();
        write("zoo", ZOO);
        loaded = load();
    }

    @AfterEach
    void close() {
        over.countDown();
        service.stop(0);
    }

    private void write(String name, String document) throws IOException {
        var base = "http://127.0.0.1:" + service.getAddress().getPort();
        Files.writeString(
                functions.resolve(name + (name.contains(".") ? "" : ".openapi.json")), document.replace("BASE", base));
    }

    private OpenApiTools load() {
        return OpenApiTools.in(
                functions,
                new OpenApiTools.Terms(
                        Map.of("ZOO_TOKEN", "correct-horse"),
                        text -> text.replace("{{ZOO_SECRET}}", "battery ${ZOO_TOKEN}"),
                        Duration.ofMinutes(1),
                        1_000));
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            var headers = exchange.getRequestHeaders();
            var said = exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                    + headers.getFirst("Authorization") + " " + headers.getFirst("X-Trace") + " " + body;
            var path = exchange.getRequestURI().getPath();
            if (path.endsWith("/slow")) {
                asked.countDown();
                over.await();
            }
            if (path.endsWith("/elsewhere")) {
                exchange.getResponseHeaders().set("Location", "/v1/animals/thief");
            }
            var bytes = (path.endsWith("/missing") ? "no such animal" : said).getBytes(UTF_8);
            exchange.sendResponseHeaders(
                    path.endsWith("/missing") ? 404 : path.endsWith("/elsewhere") ? 302 : 200, bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private String said(String tool, Object... arguments) throws InterruptedException {
        return Calls.words(loaded.tools(), tool, arguments);
    }

    private Tool named(String name) {
        return Calls.named(loaded.tools(), name);
    }

    @Test
    void every_operation_is_a_tool_with_the_arguments_it_takes() {
        var get = named("zoo_getAnimal").spec();
        assertThat(get.description()).isEqualTo("Shows an animal.");
        assertThat(get.repeat()).isEqualTo(ToolSpec.Repeat.SAFE);
        assertThat(get.effect()).isEqualTo(ToolSpec.Effect.ACTS);
        assertThat(get.parameters().path("required").toString()).isEqualTo("[\"id\"]");
        assertThat(get.parameters().path("properties").propertyNames()).containsExactly("id", "with", "X-Trace");
        var add = named("zoo_add_animal").spec();
        assertThat(add.repeat()).isEqualTo(ToolSpec.Repeat.UNSAFE);
        assertThat(add.parameters().toString()).contains("children").doesNotContain("$ref");
    }

    @Test
    void arguments_go_where_the_document_says_and_nowhere_else() throws Exception {
        assertThat(said("zoo_getAnimal", "id", "a/../b?c", "with", List.of("x y", "z&q=1"), "X-Trace", "t"))
                .contains("GET /v1/animals/a%2F..%2Fb%3Fc?with=x%20y&with=z%26q%3D1 Bearer correct-horse t");
        assertThat(said("zoo_add_animal", "body", Map.of("name", "Ida")))
                .contains("POST /v1/animals Bearer")
                .contains("{\"name\":\"Ida\"}");
        assertThat(said("zoo_getAnimal", "id", "1", "Authorization", "Bearer stolen"))
                .contains("correct-horse")
                .doesNotContain("stolen");
    }

    @Test
    void what_makes_no_request_is_refused_with_a_reason() throws Exception {
        assertThat(said("zoo_getAnimal")).startsWith("failed:").contains("'id' is missing");
        assertThat(said("zoo_getAnimal", "id", "..")).startsWith("failed:").contains("'..'");
        assertThat(said("zoo_getAnimal", "id", "1", "X-Trace", "a\r\nHost: b")).startsWith("failed:");
        assertThat(said("zoo_getAnimal", "id", Map.of("a", "b"))).startsWith("failed:");
    }

    @Test
    void a_refusal_of_the_service_is_told_and_a_redirect_is_not_followed() throws Exception {
        assertThat(said("zoo_missing")).startsWith("failed:").contains("404").contains("no such animal");
        assertThat(said("zoo_elsewhere")).startsWith("failed:").contains("302");
    }

    @Test
    void a_cancelled_call_ends_at_once() throws Exception {
        var cancellation = new Cancellation();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var call = threads.submit(() -> Calls.run(named("zoo_slow"), cancellation));
            asked.await();
            cancellation.cancel("enough");

            assertThatThrownBy(call::get).hasCauseInstanceOf(Cancelled.class);
        }
    }

    @Test
    void a_long_answer_is_cut() throws Exception {
        var outcome = Calls.run(named("zoo_add_animal"), new Cancellation(), "body", Map.of("name", "x".repeat(2_000)));

        assertThat(outcome).isInstanceOf(ToolOutcome.Answered.class);
        assertThat(Calls.words(outcome)).hasSizeLessThan(1_100).endsWith("[cut: the answer is longer]");
    }

    @Test
    void what_cannot_be_offered_is_told_and_the_rest_is() throws IOException {
        write("bad", "{");
        write("old", "{\"swagger\": \"2.0\"}");
        write("nowhere", "{\"openapi\": \"3.0.0\", \"servers\": [{\"url\": \"/v1\"}]}");
        write(
                "poor",
                "{\"openapi\": \"3.0.0\", \"servers\": [{\"url\": \"https://a.example\"}],"
                        + " \"x-skein-headers\": {\"Authorization\": \"${NOBODY_SET_THIS}\"}}");
        write(
                "open",
                "{\"openapi\": \"3.0.0\", \"servers\": [{\"url\": \"http://a.example\"}],"
                        + " \"x-skein-headers\": {\"Authorization\": \"secret\"}}");

        var again = load();

        assertThat(again.tools()).hasSize(5);
        assertThat(again.problems())
                .extracting(problem -> problem.file().getFileName() + " " + problem.reason())
                .anyMatch(problem -> problem.contains("bad.openapi.json is not JSON"))
                .anyMatch(problem -> problem.contains("old.openapi.json is not a document of OpenAPI 3"))
                .anyMatch(problem -> problem.contains("nowhere") && problem.contains("whole address"))
                .anyMatch(problem -> problem.contains("poor") && problem.contains("NOBODY_SET_THIS"))
                .anyMatch(problem -> problem.contains("open") && problem.contains("plain http"))
                .anyMatch(problem -> problem.contains("post /picture") && problem.contains("not JSON"))
                .anyMatch(problem -> problem.contains("post /far") && problem.contains("example.org"))
                .noneMatch(problem -> problem.contains("secret"))
                .hasSize(7);
    }

    @Test
    void a_document_may_be_yaml() throws Exception {
        write("farm.openapi.yaml", """
                openapi: 3.1.0
                servers: [{url: "BASE/v2"}]
                x-skein-headers:
                  X-Trace: "{{ZOO_SECRET}} and ${ZOO_TOKEN}"
                paths:
                  /cows/{id}:
                    get:
                      operationId: getCow
                      parameters:
                        - {name: id, in: path, required: true, schema: {type: string}}
                """);
        write(
                "barn.openapi.yml",
                "openapi: 3.0.3\nservers: [{url: 'BASE'}]\npaths: {/hay: {get: {operationId: hay}}}\n");
        loaded = load();

        assertThat(loaded.tools()).extracting(tool -> tool.spec().name()).contains("zoo_getAnimal", "barn_hay");
        assertThat(said("farm_getCow", "id", "7"))
                .isEqualTo("GET /v2/cows/7 null battery ${ZOO_TOKEN} and correct-horse ");
    }

    @Test
    void yaml_that_would_grow_without_end_is_told_and_left_out() throws Exception {
        write("laughs.openapi.yaml", "openapi: 3.1.0\na: &a [1]\nb: &b [*a, *a]\nc: [*b, *b]\n");
        write("deep.openapi.yaml", "openapi: 3.1.0\nx: " + "[".repeat(5_000) + "]".repeat(5_000));
        write("twice.openapi.yaml", "openapi: 3.1.0\nopenapi: 3.0.0\n");
        write("two.openapi.yaml", "openapi: 3.1.0\n---\nopenapi: 3.0.0\n");
        write("broken.openapi.yaml", "openapi: [3.1.0\n");
        write("huge.openapi.yml", "x: " + "y".repeat(5 * 1024 * 1024));
        loaded = load();

        assertThat(loaded.problems())
                .extracting(problem -> problem.file().getFileName() + " " + problem.reason())
                .anyMatch(problem -> problem.startsWith("laughs.openapi.yaml has an alias in line 3"))
                .anyMatch(problem -> problem.startsWith("deep.openapi.yaml is not YAML"))
                .anyMatch(problem -> problem.startsWith("twice.openapi.yaml is not YAML"))
                .anyMatch(problem -> problem.startsWith("two.openapi.yaml is not YAML"))
                .anyMatch(problem -> problem.startsWith("broken.openapi.yaml is not YAML"))
                .anyMatch(problem -> problem.startsWith("huge.openapi.yml is larger"));
        assertThat(loaded.tools()).as("the others").isNotEmpty();
    }
}

package dev.skein.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.skein.testkit.provider.Answer;
import dev.skein.testkit.provider.Answer.Step;
import dev.skein.testkit.provider.OpenAiWire;
import dev.skein.testkit.provider.ProviderServer;
import dev.skein.wire.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A real service, described in YAML, called by a model through the whole program.
class OpenApiServiceTest {

    private static final String KEY = "correct horse battery";
    private static final String PAT = "tr0ub4dor and three";
    private static final String SITE = "the blue house on the hill";

    private static final String TRACKER = """
            openapi: 3.1.0
            servers: [{url: "BASE/v1"}]
            x-skein-headers: {X-Key: "{{TRACKER_KEY}}", X-Pat: "Bearer ${TRACKER_PAT}", X-Site: "{{TRACKER_SITE}}"}
            components:
              schemas:
                Comment: {type: object, properties: {text: {type: string}}, required: [text]}
            paths:
              /issues/{id}/comments:
                parameters:
                  - {name: id, in: path, required: true, schema: {type: string}}
                post:
                  operationId: comment
                  summary: Says something about an issue.
                  parameters:
                    - {name: notify, in: query, schema: {type: boolean}}
                    - {name: X-Trace, in: header, schema: {type: string}}
                  requestBody:
                    required: true
                    content: {application/json: {schema: {$ref: "#/components/schemas/Comment"}}}
            """;

    @TempDir
    Path home;

    private final List<String> asked = new CopyOnWriteArrayList<>();

    @Test
    void a_model_calls_an_operation_with_everything_it_takes_and_hears_what_comes_back() throws IOException {
        var service = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
        service.createContext("/", this::answer);
        service.start();
        try (var provider = ProviderServer.speaking(new OpenAiWire())) {
            var cli = new Cli(home);
            cli.env.put("OPENAI_API_KEY", "sk-canary-2718281828459045");
            cli.env.put("OPENAI_BASE_URL", provider.baseUrl().toString());
            cli.env.put("TRACKER_PAT", PAT);
            cli.env.put("TRACKER_SITE", SITE);
            cli.typed = KEY + "\n";
            assertThat(cli.run("vault", "add", "TRACKER_KEY").code()).isZero();
            cli.typed = "";
            Files.writeString(
                    Files.createDirectory(home.resolve("functions")).resolve("tracker.openapi.yaml"),
                    TRACKER.replace(
                            "BASE", "http://127.0.0.1:" + service.getAddress().getPort()));
            Files.writeString(home.resolve("config.yaml"), "permissions: {allow: [tracker_comment]}\n");
            provider.script(
                    Answer.calls(new Step.Call("c1", "tracker_comment", """
                            {"id":"7/8","notify":true,"X-Trace":"t1","body":{"text":"Done."}}""")),
                    Answer.calls(
                            new Step.Call("c2", "tracker_comment", "{\"id\":\"404\",\"body\":{\"text\":\"Hm.\"}}")),
                    Answer.says("Said so."));

            var ran = cli.run("-m", "openai:test", "-s", "work", "Say that 7/8 is done.");

            assertThat(ran.code()).as(ran.err()).isZero();
            assertThat(ran.out()).endsWith("Said so.\n");
            assertThat(asked)
                    .containsExactly(
                            "POST /v1/issues/7%2F8/comments?notify=true key=" + KEY + " trace=t1 {\"text\":\"Done.\"}",
                            "POST /v1/issues/404/comments key=" + KEY + " trace=null {\"text\":\"Hm.\"}");
            var requests = provider.requests();
            assertThat(requests.getFirst().body().path("tools").valueStream())
                    .filteredOn(tool ->
                            tool.path("function").path("name").asString("").equals("tracker_comment"))
                    .singleElement()
                    .satisfies(tool -> assertThat(tool.toString())
                            .contains("Says something about an issue.", "notify", "X-Trace", "\"text\"")
                            .doesNotContain("X-Key", KEY));
            assertThat(requests.get(1).body().toString())
                    .contains(
                            "comment 1 of [REDACTED:TRACKER_KEY] and Bearer [REDACTED:TRACKER_PAT]",
                            "at [REDACTED:TRACKER_SITE]");
            assertThat(requests.get(2).body().toString()).contains("status 404: no such issue");
            assertThat(Json.MAPPER.writeValueAsString(requests)).doesNotContain(KEY, PAT, SITE);
            assertThat(cli.session("export", "work", "--format", "json").out())
                    .contains("comment 1 of")
                    .doesNotContain(KEY, PAT, SITE);
        } finally {
            service.stop(0);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            var headers = exchange.getRequestHeaders();
            asked.add("%s %s key=%s trace=%s %s"
                    .formatted(
                            exchange.getRequestMethod(),
                            exchange.getRequestURI(),
                            headers.getFirst("X-Key"),
                            headers.getFirst("X-Trace"),
                            new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
            var isThere = !exchange.getRequestURI().getPath().contains("404");
            var told = "comment 1 of " + headers.getFirst("X-Key") + " and " + headers.getFirst("X-Pat") + " at "
                    + headers.getFirst("X-Site");
            var words = (isThere ? told : "no such issue").getBytes(UTF_8);
            exchange.sendResponseHeaders(isThere ? 200 : 404, words.length);
            exchange.getResponseBody().write(words);
        }
    }
}

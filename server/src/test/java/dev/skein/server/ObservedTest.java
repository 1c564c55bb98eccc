package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.server.trace.OtlpTraces;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What those who run the server see of requests and runs: figures that move, and spans.
class ObservedTest {

    private static final InMemorySpanExporter SPANS = InMemorySpanExporter.create();
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer(
                TestServer.OPTIONS,
                TestServer.Extras.NONE.with(new OtlpTraces(SimpleSpanProcessor.create(SPANS), "test")));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void every_figure_moves_with_what_happens() {
        try (var own = new TestServer()) {
            var ann = own.client("ann");
            var id = ann.create("{}");
            ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"look here\"}")
                    .is(200);
            ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"fail\"}")
                    .is(502);
            own.client(null).get("/v1/sessions").is(401);
            try (var tail = ann.follow(id)) {
                tail.untilNamed("finished");
                assertThat(figures(own).apply("streams_open")).isEqualTo(1);
                assertThat(figures(own).apply("sessions_active_total")).isEqualTo(1);
            }
            TestServer.await(() -> figures(own).apply("streams_open") == 0);
            TestServer.await(() -> figures(own).apply("sessions_active_total") == 0);

            // A request is counted when its answer is sent.
            var completions = "method=\"POST\",route=\"/v1/sessions/{id}/completions\"";
            var took = "http_request_duration_seconds_count{" + completions + "}";
            TestServer.await(() -> figures(own).apply(took) == 2);
            var figures = figures(own);
            assertThat(figures.apply("http_requests_total{" + completions + ",status=\"200\"}"))
                    .isEqualTo(1);
            assertThat(figures.apply("http_requests_total{" + completions + ",status=\"502\"}"))
                    .isEqualTo(1);
            assertThat(figures.apply("http_requests_in_flight")).isPositive();
            assertThat(figures.apply("auth_failures_total{reason=\"no_key\"}")).isEqualTo(1);
            assertThat(figures.apply("runs_total{status=\"completed\"}")).isEqualTo(1);
            assertThat(figures.apply("runs_total{status=\"aborted\"}")).isEqualTo(1);
            assertThat(figures.apply("tool_calls_total{outcome=\"answered\"}")).isEqualTo(1);
            assertThat(figures.apply("tokens_total{direction=\"input\",model=\"talking:model\"}"))
                    .isEqualTo(20);
            assertThat(figures.apply("tokens_total{direction=\"output\",model=\"talking:model\"}"))
                    .isEqualTo(10);
            assertThat(figures.apply("cost_usd_total{model=\"talking:model\"}")).isEqualTo(0.002);
            assertThat(figures.apply("mcp_pool_size")).isZero();
        }
    }

    @Test
    void a_request_its_run_its_model_calls_and_its_tools_are_one_trace() {
        var ann = server.client("ann");
        var id = ann.create("{}");
        SPANS.reset();
        var answer = ann.with("traceparent", "00-" + TRACE + "-b7ad6b7169203331-01")
                .with("X-Request-Id", "traced-1")
                .post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"look here\"}")
                .is(200);
        TestServer.await(() -> names().contains("POST /v1/sessions/{id}/completions"));

        // That of the request before may have ended only now.
        var spans = SPANS.getFinishedSpanItems().stream()
                .filter(span -> span.getTraceId().equals(TRACE))
                .toList();
        var request = named(spans, "POST /v1/sessions/{id}/completions");
        var run = named(spans, "invoke_agent skein");
        var tool = named(spans, "execute_tool look");
        var calls = spans.stream()
                .filter(span -> span.getName().equals("chat model"))
                .toList();
        assertThat(spans).hasSize(5);
        assertThat(request.getParentSpanId()).isEqualTo("b7ad6b7169203331");
        assertThat(run.getParentSpanId()).isEqualTo(request.getSpanId());
        assertThat(tool.getParentSpanId()).isEqualTo(run.getSpanId());
        assertThat(calls).hasSize(2).allMatch(span -> span.getParentSpanId().equals(run.getSpanId()));
        assertThat(text(request, "skein.request_id")).isEqualTo("traced-1");
        assertThat(text(run, "gen_ai.conversation.id")).isEqualTo(id);
        assertThat(text(run, "skein.loop_id")).isEqualTo(answer.text("loop_id"));
        assertThat(text(calls.getFirst(), "gen_ai.provider.name")).isEqualTo("talking");
        assertThat(calls.getFirst().getAttributes().get(AttributeKey.longKey("gen_ai.usage.input_tokens")))
                .isEqualTo(10);
        assertThat(spans.toString()).doesNotContain("look of here");
    }

    @Test
    void the_run_of_a_stream_and_the_branches_of_a_prompt_are_traced_too() {
        var ann = server.client("ann");
        var id = ann.create("{}");
        SPANS.reset();
        try (var stream = ann.stream("/v1/sessions/" + id + "/completions", "{\"prompt\":\"look one\"}")) {
            stream.untilNamed("finished");
        }
        ann.post("/v1/sessions/" + id + "/parallel", "{\"prompt\":\"look two\",\"branches\":[{},{}]}")
                .is(200);
        TestServer.await(() -> names().contains("POST /v1/sessions/{id}/parallel"));
        TestServer.await(() -> names().contains("POST /v1/sessions/{id}/completions"));

        TestServer.await(() -> runs().size() == 3);
        var runs = runs();
        var toolsOf = SPANS.getFinishedSpanItems().stream()
                .filter(span -> span.getName().startsWith("execute_tool"))
                .map(SpanData::getParentSpanId)
                .toList();
        assertThat(toolsOf).containsExactlyInAnyOrderElementsOf(runs);
    }

    private static List<String> runs() {
        return SPANS.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals("invoke_agent skein"))
                .map(SpanData::getSpanId)
                .toList();
    }

    private static List<String> names() {
        return SPANS.getFinishedSpanItems().stream().map(SpanData::getName).toList();
    }

    private static SpanData named(List<SpanData> spans, String name) {
        return spans.stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String text(SpanData span, String name) {
        return span.getAttributes().get(AttributeKey.stringKey(name));
    }

    /// What `/metrics` says now; what it does not mention is 0.
    private static Function<String, Double> figures(TestServer asked) {
        var scrape = asked.client("admin").get("/metrics").is(200).body();
        Map<String, Double> values = scrape.lines()
                .filter(line -> !line.startsWith("#"))
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.lastIndexOf(' ')),
                        line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1))));
        return name -> values.getOrDefault(name, 0.0);
    }
}

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
        var ann = server.client("ann");
        var id = ann.create("{}");
        var before = figures();

        ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"look here\"}").is(200);
        ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"fail\"}").is(502);
        server.client(null).get("/v1/sessions").is(401);
        double open;
        double active;
        try (var tail = ann.follow(id)) {
            tail.untilNamed("finished");
            open = figures().apply("streams_open");
            active = figures().apply("sessions_active_total");
        }
        TestServer.await(() -> figures().apply("streams_open") < open);
        TestServer.await(() -> figures().apply("sessions_active_total") < active);

        var after = figures();
        assertThat(open).isGreaterThan(before.apply("streams_open"));
        assertThat(active).isGreaterThan(0);
        assertMoved(before, after, "runs_total{status=\"completed\"}", 1);
        assertMoved(before, after, "runs_total{status=\"aborted\"}", 1);
        assertMoved(before, after, "tool_calls_total{outcome=\"answered\"}", 1);
        assertMoved(before, after, "tokens_total{direction=\"input\",model=\"talking:model\"}", 20);
        assertMoved(before, after, "tokens_total{direction=\"output\",model=\"talking:model\"}", 10);
        assertMoved(before, after, "cost_usd_total{model=\"talking:model\"}", 0.002);
        assertMoved(before, after, "auth_failures_total{reason=\"no_key\"}", 1);
        var completions = "method=\"POST\",route=\"/v1/sessions/{id}/completions\"";
        assertMoved(before, after, "http_requests_total{" + completions + ",status=\"200\"}", 1);
        assertMoved(before, after, "http_requests_total{" + completions + ",status=\"502\"}", 1);
        assertMoved(before, after, "http_request_duration_seconds_count{" + completions + "}", 2);
        assertThat(after.apply("http_requests_in_flight")).isEqualTo(1);
        assertThat(after.apply("mcp_pool_size")).isZero();
    }

    private static void assertMoved(
            Function<String, Double> before, Function<String, Double> after, String name, double by) {
        assertThat(after.apply(name) - before.apply(name)).as(name).isBetween(by - 0.0001, by + 0.0001);
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

        var spans = SPANS.getFinishedSpanItems();
        var request = named(spans, "POST /v1/sessions/{id}/completions");
        var run = named(spans, "invoke_agent skein");
        var tool = named(spans, "execute_tool look");
        var calls = spans.stream().filter(span -> span.getName().equals("chat model")).toList();
        assertThat(spans).hasSize(5).allMatch(span -> span.getTraceId().equals(TRACE));
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

        var runs = SPANS.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals("invoke_agent skein"))
                .map(SpanData::getSpanId)
                .toList();
        assertThat(runs).hasSize(3);
        var toolsOf = SPANS.getFinishedSpanItems().stream()
                .filter(span -> span.getName().startsWith("execute_tool"))
                .map(SpanData::getParentSpanId)
                .toList();
        assertThat(toolsOf).containsExactlyInAnyOrderElementsOf(runs);
    }

    private static List<String> names() {
        return SPANS.getFinishedSpanItems().stream().map(SpanData::getName).toList();
    }

    private static SpanData named(List<SpanData> spans, String name) {
        return spans.stream().filter(span -> span.getName().equals(name)).findFirst().orElseThrow();
    }

    private static String text(SpanData span, String name) {
        return span.getAttributes().get(AttributeKey.stringKey(name));
    }

    /// What `/metrics` says now; what it does not mention is 0.
    private static Function<String, Double> figures() {
        var scrape = server.client("admin").get("/metrics").is(200).body();
        Map<String, Double> values = scrape.lines()
                .filter(line -> !line.startsWith("#"))
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.lastIndexOf(' ')),
                        line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1))));
        return name -> values.getOrDefault(name, 0.0);
    }
}

package dev.skein.server.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.skein.live.RunOutcome;
import dev.skein.message.Cost;
import dev.skein.message.Part;
import dev.skein.message.ToolCallId;
import dev.skein.message.Usage;
import dev.skein.model.ModelName;
import dev.skein.model.ModelReply;
import dev.skein.model.ModelRequest;
import dev.skein.model.Sampling;
import dev.skein.session.Ids;
import dev.skein.session.LoopStatus;
import dev.skein.tool.ToolOutcome;
import dev.skein.wire.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/// Spans on their way to a real receiver.
class TracesTest {

    private static final Ids IDS = new Ids(Clock.systemUTC(), new Random(3));

    @Test
    void without_an_endpoint_nothing_is_noted() {
        var traces = Traces.fromEnvironment(Map.of());

        assertThat(traces).isSameAs(Traces.OFF);
        assertThat(traces.request(new Traces.Incoming("GET", "/", "r", null))).isSameAs(RequestSpan.NONE);
        assertThat(Traces.fromEnvironment(
                        Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://x", "OTEL_SDK_DISABLED", "true")))
                .isSameAs(Traces.OFF);
    }

    @Test
    void a_request_its_run_its_model_calls_and_its_tools_arrive_at_the_endpoint() throws Exception {
        var received = new LinkedBlockingQueue<byte[]>();
        var receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/v1/traces", exchange -> {
            received.add(body(exchange.getRequestBody().readAllBytes()));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        receiver.start();
        try (var traces = Traces.fromEnvironment(Map.of(
                "OTEL_EXPORTER_OTLP_ENDPOINT",
                "http://127.0.0.1:" + receiver.getAddress().getPort()))) {
            run(traces);
        } finally {
            receiver.stop(0);
        }

        // Names and values are plain text in the binary form.
        var text = new String(received.poll(60, TimeUnit.SECONDS), StandardCharsets.ISO_8859_1);
        assertThat(text)
                .contains("POST /v1/sessions/{id}/completions")
                .contains("http.response.status_code")
                .contains("request-1")
                .contains("invoke_agent skein")
                .contains("chat gpt-x")
                .contains("execute_tool shell")
                .contains("gen_ai.operation.name")
                .contains("gen_ai.provider.name")
                .contains("gen_ai.request.model")
                .contains("gen_ai.usage.input_tokens")
                .contains("gen_ai.response.finish_reasons")
                .contains("gen_ai.conversation.id")
                .contains("session-1")
                .doesNotContain("what was said")
                .doesNotContain("rm -rf");
    }

    private static void run(Traces traces) {
        var incoming = new Traces.Incoming(
                "POST",
                "/v1/sessions/{id}/completions",
                "request-1",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
        try (var span = traces.request(incoming)) {
            var hooks = span.hooks(new ModelName("openai", "gpt-x"), "session-1");
            var loop = IDS.loop();
            var call = new Part.ToolCall(
                    new ToolCallId("call-1"), "shell", Json.MAPPER.readTree("{\"command\":\"rm -rf\"}"), null);
            hooks.beforeLoop(loop);
            hooks.beforeTurn(loop, 1, new ModelRequest("what was said", List.of(), List.of(), Sampling.DEFAULT));
            hooks.afterTurn(
                    loop,
                    1,
                    new ModelReply(
                            List.of(new Part.Text("what was said")),
                            ModelReply.StopReason.TOOL_USE,
                            Usage.of(5, 2),
                            null));
            hooks.beforeTool(call);
            hooks.afterTool(call, ToolOutcome.Answered.text("what was said"));
            hooks.afterLoop(new RunOutcome(
                    IDS.session(),
                    loop,
                    LoopStatus.COMPLETED,
                    null,
                    null,
                    List.of(),
                    1,
                    false,
                    Usage.of(5, 2),
                    Cost.NONE));
            span.answered(200);
        }
    }

    private static byte[] body(byte[] bytes) throws IOException {
        var zipped = bytes.length > 2 && bytes[0] == (byte) 0x1f && bytes[1] == (byte) 0x8b;
        return zipped ? new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes() : bytes;
    }
}

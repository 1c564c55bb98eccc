package dev.skein.tools.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.failure.InvalidRequest;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolSpec;
import dev.skein.tools.call.Schema;
import dev.skein.tools.mcp.wire.WireJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Everything a client can get wrong, line by line.
class StdioServerTest {

    private static final String META =
            "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"%s\",\"progressToken\":\"p\"}";

    private final List<Throwable> mishaps = new CopyOnWriteArrayList<>();
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private OutputStream toServer;
    private BufferedReader answers;
    private Thread serving;

    @BeforeEach
    void start() throws IOException {
        var there = Pipe.open();
        var back = Pipe.open();
        var in = Channels.newInputStream(there.source());
        var out = Channels.newOutputStream(back.sink());
        toServer = Channels.newOutputStream(there.sink());
        answers = new BufferedReader(
                new InputStreamReader(Channels.newInputStream(back.source()), StandardCharsets.UTF_8));
        var facts = new ServerFacts("test", "1", "", List.of(echo(), endless(), broken(), refusing()));
        serving = Thread.ofPlatform().start(() -> {
            try (out) {
                new StdioServer(facts, out, mishaps::add).serve(in, Duration.ofSeconds(30));
            } catch (IOException | InterruptedException e) {
                mishaps.add(e);
            }
        });
    }

    @AfterEach
    void end() throws IOException, InterruptedException {
        toServer.close();
        serving.join(Duration.ofSeconds(60));
        assertThat(serving.isAlive()).isFalse();
    }

    private static ServedTool tool(String name, ServedTool.Action action) {
        return new ServedTool(
                new ToolSpec(name, name, Schema.requiring().json(), ToolSpec.Repeat.SAFE, ToolSpec.Effect.READS),
                action);
    }

    private static ServedTool echo() {
        return tool("echo", (arguments, progress, _) -> {
            progress.accept("halfway");
            progress.accept("nearly");
            return ToolOutcome.Answered.text(arguments.text("text"));
        });
    }

    private ServedTool endless() {
        return tool("endless", (_, progress, cancellation) -> {
            var over = new CountDownLatch(1);
            progress.accept("running");
            try (var _ = cancellation.onCancel(over::countDown)) {
                over.await();
            }
            cancelled.countDown();
            cancellation.check();
            return ToolOutcome.Answered.text("never");
        });
    }

    private static ServedTool broken() {
        return tool("broken", (_, _, _) -> {
            throw new IllegalStateException("a secret detail");
        });
    }

    private static ServedTool refusing() {
        return tool("refusing", (_, _, _) -> {
            throw new InvalidRequest("there is no such thing; look elsewhere");
        });
    }

    private void say(String line) throws IOException {
        toServer.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        toServer.flush();
    }

    private JsonNode ask(String line) throws IOException {
        say(line);
        return heard();
    }

    private JsonNode heard() throws IOException {
        return WireJson.read(answers.readLine().getBytes(StandardCharsets.UTF_8));
    }

    private JsonNode greet(String version) throws IOException {
        return ask("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"%s\"}}"
                .formatted(version));
    }

    private static String call(int id, String tool, String more) {
        return "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\"%s}}"
                .formatted(id, tool, more);
    }

    private static int code(JsonNode answer) {
        return answer.path("error").path("code").asInt(0);
    }

    @Test
    void a_version_that_is_known_is_agreed_to_and_another_is_answered_with_the_newest() throws IOException {
        assertThat(greet("2025-06-18").path("result").path("protocolVersion").asString(""))
                .isEqualTo("2025-06-18");
        assertThat(greet("1999-01-01").path("result").path("protocolVersion").asString(""))
                .isEqualTo("2025-11-25");
    }

    @Test
    void without_a_handshake_every_request_says_its_version() throws IOException {
        var discovered = ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{%s}}"
                .formatted(META.formatted("2026-07-28")));
        assertThat(discovered.path("result").path("supportedVersions").path(0).asString(""))
                .isEqualTo("2026-07-28");
        assertThat(discovered.path("result").path("resultType").asString("")).isEqualTo("complete");
        var wrong = ask("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\",\"params\":{%s}}"
                .formatted(META.formatted("2030-01-01")));
        assertThat(code(wrong)).isEqualTo(-32022);
        assertThat(wrong.path("error").path("data").path("requested").asString(""))
                .isEqualTo("2030-01-01");
        assertThat(code(ask("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\",\"params\":{%s}}"
                        .formatted(META.formatted("2026-07-28")))))
                .isEqualTo(-32601);
        assertThat(code(ask("{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/list\"}")))
                .isEqualTo(-32600);
    }

    @Test
    void progress_comes_before_the_answer_and_only_if_it_is_wanted() throws IOException {
        greet("2025-11-25");
        say(call(1, "echo", ",\"arguments\":{\"text\":\"x\"},\"_meta\":{\"progressToken\":7}"));
        assertThat(heard().path("params").path("progress").asInt(0)).isEqualTo(1);
        var second = heard().path("params");
        assertThat(second.path("progress").asInt(0)).isEqualTo(2);
        assertThat(second.path("progressToken").asInt(0)).isEqualTo(7);
        assertThat(heard().path("result").path("content").path(0).path("text").asString(""))
                .isEqualTo("x");
        assertThat(ask(call(2, "echo", ",\"arguments\":{\"text\":\"y\"}"))
                        .path("id")
                        .asInt(0))
                .isEqualTo(2);
    }

    @Test
    void what_is_no_message_is_answered_and_survived() throws IOException {
        assertThat(code(ask("{"))).isEqualTo(-32700);
        assertThat(code(ask("{\"jsonrpc\":\"2.0\",\"id\":1}"))).isEqualTo(-32600);
        assertThat(code(ask("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}")))
                .isEqualTo(-32600);
        say("");
        say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/unheard-of\"}");
        say("{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}");
        assertThat(code(ask("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"no/such\"}")))
                .isEqualTo(-32601);
        assertThat(ask("[{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"ping\"}]")
                        .path("id")
                        .asString(""))
                .isEqualTo("b");
    }

    @Test
    void a_wrong_call_is_an_error_and_a_failed_one_a_result() throws IOException {
        greet("2025-11-25");
        assertThat(code(ask(call(1, "no-such", "")))).isEqualTo(-32602);
        assertThat(code(ask(call(2, "echo", ",\"arguments\":[]")))).isEqualTo(-32602);
        var missing = ask(call(3, "echo", "")).path("result");
        assertThat(missing.path("isError").asBoolean(false)).isTrue();
        var refused = ask(call(4, "refusing", "")).path("result");
        assertThat(refused.path("content").path(0).path("text").asString("")).contains("look elsewhere");
        var broken = ask(call(5, "broken", ""));
        assertThat(code(broken)).isEqualTo(-32603);
        assertThat(broken.toString()).doesNotContain("secret");
        assertThat(mishaps).hasSize(1);
    }

    @Test
    void a_cancelled_call_ends_without_an_answer() throws IOException, InterruptedException {
        greet("2025-11-25");
        say(call(1, "endless", ",\"_meta\":{\"progressToken\":1}"));
        assertThat(heard().path("params").path("message").asString("")).isEqualTo("running");
        assertThat(code(ask(call(1, "echo", "")))).isEqualTo(-32600);
        say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");
        assertThat(cancelled.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(ask("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}")
                        .path("id")
                        .asInt(0))
                .isEqualTo(2);
    }

    @Test
    void more_calls_than_can_run_at_once_are_refused() throws IOException {
        greet("2025-11-25");
        for (int id = 1; id <= 16; id++) {
            say(call(id, "endless", ",\"_meta\":{\"progressToken\":1}"));
            heard();
        }
        assertThat(code(ask(call(17, "echo", "")))).isEqualTo(-32000);
    }

    @Test
    void a_client_that_goes_away_ends_what_it_asked_for() throws IOException, InterruptedException {
        greet("2025-11-25");
        say(call(1, "endless", ",\"_meta\":{\"progressToken\":1}"));
        heard();
        toServer.close();
        assertThat(cancelled.await(60, TimeUnit.SECONDS)).isTrue();
        serving.join(Duration.ofSeconds(60));
        assertThat(serving.isAlive()).isFalse();
    }
}

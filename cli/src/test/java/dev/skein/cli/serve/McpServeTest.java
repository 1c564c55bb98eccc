package dev.skein.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.Cancelled;
import dev.skein.session.LoopStatus;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.store.file.FileSessionStore;
import dev.skein.testkit.provider.Answer;
import dev.skein.testkit.provider.OpenAiWire;
import dev.skein.testkit.provider.ProviderServer;
import dev.skein.tools.mcp.client.ClientTerms;
import dev.skein.tools.mcp.client.McpClient;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.wire.WireJson;
import dev.skein.tools.process.ChildEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `skein mcp serve` in a process of its own, and our own client at the other end.
class McpServeTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    static Path home;

    private static ProviderServer provider;
    private static McpClient client;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        provider = ProviderServer.speaking(new OpenAiWire());
        Files.writeString(home.resolve("config.yaml"), """
                permissions: {allow: [shell]}
                providers: {near: {base_url: "%s"}}
                """.formatted(provider.baseUrl()));
        Files.writeString(home.resolve("AGENTS.md"), "Always whistle.");
        client = open(McpServer.Protocol.AUTO);
    }

    private static McpClient open(McpServer.Protocol protocol) throws InterruptedException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var args = List.of(
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "dev.skein.cli.Main",
                "mcp",
                "serve");
        var env = Map.of("CLASSPATH", ServeProcess.classPath(), "SKEIN_HOME", home.toString());
        var server = McpServer.of("skein", new McpServer.Reach.Child(java, args, env, null))
                .withTimeouts(PATIENCE, PATIENCE)
                .withProtocol(protocol);
        return McpClient.open(
                server, ClientTerms.of(home, ChildEnvironment.of(System.getenv(), Set.of())), new Cancellation());
    }

    @AfterAll
    static void end() {
        client.close();
        provider.close();
    }

    private static JsonNode call(McpClient to, String name, ObjectNode arguments, List<String> told)
            throws InterruptedException {
        return call(to, name, arguments, told, new Cancellation());
    }

    private static JsonNode call(
            McpClient to, String name, ObjectNode arguments, List<String> told, Cancellation cancellation)
            throws InterruptedException {
        var tool = to.tools(new Cancellation()).tools().stream()
                .filter(info -> info.name().equals(name))
                .findFirst()
                .orElseThrow();
        return to.call(tool, arguments, told::add, cancellation);
    }

    private static ObjectNode with(String name, String value) {
        return WireJson.object().put(name, value);
    }

    @Test
    void a_client_prompts_a_session_and_finds_reads_and_lists_it() throws InterruptedException {
        assertThat(client.protocol()).isEqualTo("2025-11-25");
        var told = new CopyOnWriteArrayList<String>();
        var prompted = call(
                        client, "prompt_session", with("prompt", "hello heron").put("session", "birds"), told)
                .path("structuredContent");
        assertThat(prompted.path("status").asString("")).isEqualTo("completed");
        assertThat(prompted.path("answer").asString("")).contains("hello heron");
        assertThat(told).anySatisfy(words -> assertThat(words).startsWith("started"));

        var listed = call(client, "list_sessions", with("text", "birds"), told).path("structuredContent");
        assertThat(listed.path("sessions")).hasSize(1);
        var found = call(client, "search_sessions", with("text", "HERON"), told).path("structuredContent");
        assertThat(found.path("hits").path(0).path("alias").asString("")).isEqualTo("birds");
        var read = call(client, "read_session", with("session", "birds"), told).path("structuredContent");
        assertThat(read.path("messages").path(0).path("text").asString("")).isEqualTo("hello heron");
    }

    @Test
    void what_the_directory_says_is_told_to_the_model_once() throws InterruptedException {
        // One that has a name is not asked for one, which would be another request.
        provider.always(_ -> Answer.says("Tweet."));
        var arguments = with("prompt", "hello finch").put("session", "finch").put("model", "near:bird");

        call(client, "prompt_session", arguments, new CopyOnWriteArrayList<>());

        var told = provider.requests().getFirst().body().path("messages").path(0);
        assertThat(told.path("role").asString("")).isEqualTo("system");
        assertThat(told.path("content").asString("")).containsOnlyOnce("Always whistle.");
    }

    @Test
    void the_life_without_a_handshake_is_spoken_too() throws InterruptedException {
        try (var stateless = open(McpServer.Protocol.STATELESS)) {
            assertThat(stateless.protocol()).isEqualTo("2026-07-28");
            var prompted =
                    call(stateless, "prompt_session", with("prompt", "hello egret"), new CopyOnWriteArrayList<>());
            assertThat(prompted.path("resultType").asString("")).isEqualTo("complete");
            assertThat(prompted.path("structuredContent").path("answer").asString(""))
                    .contains("hello egret");
        }
    }

    @Test
    void what_needs_a_yes_waits_in_the_session_and_the_client_cannot_give_it() throws InterruptedException {
        var arguments = with("prompt", "call write {\"path\": \"x\", \"content\": \"y\"}")
                .put("session", "waiting");
        var prompted = call(client, "prompt_session", arguments, new CopyOnWriteArrayList<>());
        var said = prompted.path("structuredContent");
        assertThat(said.path("status").asString("")).isEqualTo("waiting");
        assertThat(said.path("waiting").path(0).path("name").asString("")).isEqualTo("write");
        assertThat(said.path("next").asString("")).contains("skein session approve waiting");
        assertThat(client.tools(new Cancellation()).tools())
                .noneMatch(tool -> tool.name().contains("approve"));
    }

    @Test
    void a_mistake_is_told_as_the_result_of_the_call() throws InterruptedException {
        var missing = call(client, "read_session", with("session", "nowhere"), new CopyOnWriteArrayList<>());
        assertThat(missing.path("isError").asBoolean(false)).isTrue();
        assertThat(missing.path("content").path(0).path("text").asString("")).contains("there is no session 'nowhere'");
        var empty = call(client, "prompt_session", WireJson.object(), new CopyOnWriteArrayList<>());
        assertThat(empty.path("content").path(0).path("text").asString("")).contains("nothing to say");
        var number = call(client, "list_sessions", WireJson.object().put("limit", -1), new CopyOnWriteArrayList<>());
        assertThat(number.path("content").path(0).path("text").asString("")).contains("from 1 to 500");
    }

    @Test
    void a_cancelled_prompt_ends_and_keeps_what_was_said() throws InterruptedException {
        var cancellation = new Cancellation();
        var told = new CopyOnWriteArrayList<String>() {
            @Override
            public boolean add(String words) {
                if (words.startsWith("calls shell")) {
                    cancellation.cancel("enough");
                }
                return super.add(words);
            }
        };
        var arguments =
                with("prompt", "call shell {\"command\": \"sleep 600\"}").put("session", "endless");
        assertThatThrownBy(() -> call(client, "prompt_session", arguments, told, cancellation))
                .isInstanceOf(Cancelled.class);

        // Its own lock is free again as soon as the run has ended.
        try (var store = FileSessionStore.open(home);
                var session = store.open(
                        Scope.LOCAL,
                        store.resolve(Scope.LOCAL, new SessionAlias("endless")).orElseThrow());
                var _ = session.lock(PATIENCE)) {
            var loop = session.loop(session.state().head()).orElseThrow();
            assertThat(loop.status()).isEqualTo(LoopStatus.ABORTED);
        }
        assertThat(call(client, "read_session", with("session", "endless"), told)
                        .path("isError")
                        .asBoolean(true))
                .isFalse();
    }
}

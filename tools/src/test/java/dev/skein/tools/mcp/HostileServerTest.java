package dev.skein.tools.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.Cancelled;
import dev.skein.message.Part;
import dev.skein.tool.ToolOutcome;
import dev.skein.tools.mcp.client.McpClient;
import dev.skein.tools.mcp.client.McpToolInfo;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.wire.McpFailure;
import dev.skein.tools.mcp.wire.McpFailure.Kind;
import dev.skein.tools.mcp.wire.Peer;
import dev.skein.tools.mcp.wire.WireJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Whatever a server does, there is an answer or a typed failure in time, little memory is used, and nobody else
/// suffers.
@Execution(ExecutionMode.SAME_THREAD)
class HostileServerTest {

    private static final Duration SHORT = Duration.ofMillis(700);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final long HEAP_GROWTH_MAX = 64L * 1024 * 1024;

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "exits, ENDED, no license found",
        "endless-line, TOO_MUCH, a line is longer than",
        "garbage-flood, PROTOCOL, what is no message",
        "unknown-version, PROTOCOL, 1999-01-01",
        "refuses, ERROR, answered: no",
        "neither, PROTOCOL, neither a result nor an error"
    })
    void a_server_that_does_not_come_up_is_a_failure_that_says_why(String mode, Kind kind, String words)
            throws Exception {
        assertThatThrownBy(() -> open(Servers.hostile(mode, directory)))
                .isInstanceOfSatisfying(
                        McpFailure.class, e -> assertThat(e.kind()).isEqualTo(kind))
                .hasMessageContaining("'" + mode + "'")
                .hasMessageContaining(words);
        assertNothingLeft(mode);
    }

    @ParameterizedTest
    @ValueSource(strings = {"never-answers", "closes-output"})
    void a_server_that_never_answers_is_given_up_and_ended(String mode) throws Exception {
        var server = Servers.hostile(mode, directory).withTimeouts(LONG, SHORT);

        assertThatThrownBy(() -> open(server))
                .isInstanceOfSatisfying(
                        McpFailure.class, e -> assertThat(e.kind()).isEqualTo(Kind.TIMEOUT))
                .hasMessageContaining("initialize");
        assertNothingLeft(mode);
    }

    @Test
    void a_program_that_is_not_there_is_a_failure_that_names_it() {
        var server =
                McpServer.of("ghost", new McpServer.Reach.Child("no-such-program-here", List.of(), Map.of(), null));

        assertThatThrownBy(() -> open(server))
                .isInstanceOf(McpFailure.class)
                .hasMessageContaining("ghost")
                .hasMessageContaining("no-such-program-here");
    }

    @ParameterizedTest
    @ValueSource(strings = {"banner", "stderr-flood"})
    void what_a_server_prints_beside_its_messages_does_no_harm(String mode) throws Exception {
        try (var client = open(Servers.hostile(mode, directory))) {
            assertThat(words(call(client, "good", new Cancellation()))).isEqualTo("fine");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "huge-description, 1, 'the tool ''huge'' is left out: its description is longer'",
        "many-tools, 500, there are more than 500",
        "same-cursor, 1, another has the same name",
        "twice, 1, another has the same name",
        "invisible-argument, 1, characters that nobody sees: a<U+200B>",
        "nameless, 1, its name is empty",
        "odd-schema, 1, not described as an object"
    })
    void tools_that_cannot_be_used_are_left_out_and_the_others_work(String mode, int tools, String problem)
            throws Exception {
        try (var client = open(Servers.hostile(mode, directory))) {
            var listing = client.tools(new Cancellation());

            assertThat(listing.tools())
                    .hasSize(tools)
                    .first()
                    .extracting(McpToolInfo::name)
                    .isEqualTo("good");
            assertThat(listing.problems())
                    .isNotEmpty()
                    .hasSizeLessThanOrEqualTo(50)
                    .allSatisfy(words -> assertThat(words).contains("is left out"))
                    .anySatisfy(words -> assertThat(words).contains(problem));
        }
    }

    @Test
    void pages_without_end_come_to_one() throws Exception {
        try (var client = open(Servers.hostile("endless-pages", directory))) {
            assertThat(client.tools(new Cancellation()).tools()).hasSize(100);
        }
    }

    @Test
    void what_nobody_sees_in_a_description_is_shown() throws Exception {
        try (var client = open(Servers.hostile("invisible", directory))) {
            assertThat(client.tools(new Cancellation()).tools().getFirst().description())
                    .isEqualTo("Reads<U+200B> a file.<U+202E>");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"deep-schema", "no-list"})
    void a_list_that_cannot_be_read_is_a_failure_in_time(String mode) throws Exception {
        try (var client = open(Servers.hostile(mode, directory))) {
            assertThatThrownBy(() -> client.refresh(SHORT, new Cancellation()))
                    .isInstanceOfSatisfying(
                            McpFailure.class, e -> assertThat(e.kind()).isEqualTo(Kind.TIMEOUT));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "wrong-id, yours",
        "answers-twice, first",
        "asks-much, asked",
        "asks-nonsense, asked",
        "odd-progress, done"
    })
    void a_confused_server_still_gets_its_answer_across(String mode, String answer) throws Exception {
        try (var client = open(Servers.hostile(mode, directory))) {
            assertThat(words(call(client, mode, new Cancellation()))).isEqualTo(answer);
            assertThat(words(call(client, "good", new Cancellation()))).isEqualTo("fine");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hangs", "deaf", "bad-utf8", "dribbles", "deep", "same-key", "long-number"})
    void a_call_without_a_readable_answer_ends_in_time(String mode) throws Exception {
        var server = Servers.hostile(mode, directory).withTimeouts(SHORT, LONG);
        try (var client = open(server)) {
            assertThatThrownBy(() -> call(client, mode, new Cancellation()))
                    .isInstanceOfSatisfying(
                            McpFailure.class, e -> assertThat(e.kind()).isEqualTo(Kind.TIMEOUT));
        }
        assertNothingLeft(mode);
    }

    @ParameterizedTest
    @CsvSource({
        "dies, ENDED, segmentation fault",
        "flood, TOO_MUCH, floods us",
        "answer-flood, TOO_MUCH, floods us",
        "line-flood, TOO_MUCH, a line is longer than",
        "huge, TOO_MUCH, a line is longer than",
        "no-object, PROTOCOL, neither a result nor an error"
    })
    void a_call_that_breaks_is_a_typed_failure_and_uses_little_memory(String mode, Kind kind, String words)
            throws Exception {
        try (var client = open(Servers.hostile(mode, directory))) {
            var before = heap();

            assertThatThrownBy(() -> call(client, mode, new Cancellation()))
                    .isInstanceOfSatisfying(
                            McpFailure.class, e -> assertThat(e.kind()).isEqualTo(kind))
                    .hasMessageContaining(words);

            assertThat(heap() - before).isLessThan(HEAP_GROWTH_MAX);
        }
        assertNothingLeft(mode);
    }

    @Test
    void a_server_that_does_not_read_holds_nobody_up() throws Exception {
        var server = Servers.hostile("deaf", directory).withTimeouts(SHORT, LONG);
        try (var client = open(server)) {
            var large = WireJson.object().put("text", "x".repeat(1_000_000));

            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> client.call(tool(client, "deaf"), large, _ -> {}, new Cancellation()))
                        .isInstanceOfSatisfying(
                                McpFailure.class, e -> assertThat(e.kind()).isEqualTo(Kind.TIMEOUT));
            }
        }
        assertNothingLeft("deaf");
    }

    @Test
    void a_server_is_told_when_nobody_waits_for_its_answer_any_more() throws Exception {
        try (var client = open(Servers.hostile("hangs", directory))) {
            var cancellation = new Cancellation();
            var calling = new CompletableFuture<Throwable>();
            Thread.ofVirtual().start(() -> {
                try {
                    call(client, "hangs", cancellation);
                } catch (Exception e) {
                    calling.complete(e);
                }
            });
            Servers.await("the call", () -> told("hangs").contains("tools/call"));

            cancellation.cancel("enough");

            assertThat(calling.get()).isInstanceOf(Cancelled.class).hasMessageContaining("enough");
            Servers.await("the notification", () -> told("hangs").contains("notifications/cancelled"));
            assertThat(words(call(client, "good", new Cancellation()))).isEqualTo("fine");
        }
    }

    @Test
    void an_interrupted_call_ends_as_interrupted_and_the_server_is_told() throws Exception {
        try (var client = open(Servers.hostile("hangs", directory))) {
            var ended = new CompletableFuture<Throwable>();
            var thread = Thread.ofVirtual().start(() -> {
                try {
                    call(client, "hangs", new Cancellation());
                } catch (Exception e) {
                    ended.complete(e);
                }
            });
            Servers.await("the call", () -> told("hangs").contains("tools/call"));

            thread.interrupt();

            assertThat(ended.get()).isInstanceOf(InterruptedException.class);
            Servers.await("the notification", () -> told("hangs").contains("notifications/cancelled"));
        }
    }

    @Test
    void content_that_makes_no_sense_is_named_and_not_believed() throws Exception {
        try (var client = open(Servers.hostile("odd-content", directory))) {
            var outcome = CallResult.of(call(client, "odd-content", new Cancellation()));

            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            ToolOutcome.Answered.class,
                            answered -> assertThat(answered.content())
                                    .hasSize(6)
                                    .allMatch(part -> part instanceof Part.Text));
        }
    }

    @Test
    void an_error_without_words_is_a_failure_all_the_same() throws Exception {
        try (var client = open(Servers.hostile("fails", directory))) {
            assertThat(CallResult.of(call(client, "fails", new Cancellation())))
                    .isEqualTo(new ToolOutcome.Failed("the server gave no reason"));
        }
    }

    @Test
    void a_server_that_stays_when_it_should_go_is_ended() throws Exception {
        open(Servers.hostile("stays", directory)).close();

        assertNothingLeft("stays");
    }

    @Test
    void others_are_served_while_one_floods() throws Exception {
        var flooding = Servers.hostile("flood", directory).withTimeouts(SHORT, LONG);
        try (var bad = open(flooding);
                var good = open(Servers.hostile("kind", "good", directory, Map.of()))) {
            var flood =
                    CompletableFuture.runAsync(() -> assertThatThrownBy(() -> call(bad, "flood", new Cancellation()))
                            .isInstanceOf(McpFailure.class));

            for (int i = 0; i < 50; i++) {
                assertThat(words(call(good, "good", new Cancellation()))).isEqualTo("fine");
            }

            flood.get();
        }
    }

    @Test
    void a_server_sees_what_it_is_given_and_no_secret_of_ours() throws Exception {
        var server = Servers.hostile("env", "good", directory, Map.of("GIVEN", "1"));
        var terms = dev.skein.tools.mcp.client.ClientTerms.of(
                directory,
                dev.skein.tools.process.ChildEnvironment.of(
                        Map.of("PATH", "/usr/bin:/bin", "OPENAI_API_KEY", "sk-secret"), java.util.Set.of()));
        try (var client = McpClient.open(server, terms, new Cancellation())) {
            assertThat(words(call(client, "env", new Cancellation())))
                    .contains("GIVEN")
                    .contains("PATH")
                    .doesNotContain("OPENAI");
        }
    }

    private McpClient open(McpServer server) throws InterruptedException {
        return McpClient.open(server, Servers.terms(directory), new Cancellation());
    }

    private static McpToolInfo tool(McpClient client, String name) throws InterruptedException {
        return client.tools(new Cancellation()).tools().stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static JsonNode call(McpClient client, String tool, Cancellation cancellation) throws InterruptedException {
        ObjectNode arguments = WireJson.object();
        Peer.Caller nobody = _ -> {};
        return client.call(tool(client, tool), arguments, nobody, cancellation);
    }

    private static String words(JsonNode result) {
        return result.path("content").path(0).path("text").asString("");
    }

    private String told(String name) {
        try {
            var file = directory.resolve(name + ".told");
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void assertNothingLeft(String mode) throws InterruptedException {
        Servers.await(
                "the end of " + mode,
                () -> Servers.running(directory.resolve(mode + ".told").toString()) == 0);
    }

    private static long heap() {
        System.gc();
        var runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}

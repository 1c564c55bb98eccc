package dev.skein.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cli.Main;
import dev.skein.cli.terminal.Streams;
import dev.skein.cli.terminal.Streams.Attached;
import dev.skein.wire.Json;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// An editor's side of the Agent Client Protocol, against the real program.
@Timeout(180)
class AcpTest {

    @TempDir
    Path home;

    private Process program;
    private BufferedReader out;
    private final List<JsonNode> updates = new ArrayList<>();
    private final List<JsonNode> asked = new ArrayList<>();
    private Function<JsonNode, String> permission = _ -> "allow";
    private Function<JsonNode, Boolean> interrupts = _ -> false;
    private boolean cancelsAtOnce;
    private int id;

    @BeforeEach
    void start() throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var builder = new ProcessBuilder(
                        java,
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "dev.skein.cli.Main",
                        "acp")
                .directory(home.toFile())
                .redirectError(home.resolve("stderr").toFile());
        builder.environment().put("CLASSPATH", ServeProcess.classPath());
        builder.environment().put("SKEIN_HOME", home.resolve("skein").toString());
        program = builder.start();
        out = program.inputReader(StandardCharsets.UTF_8);
    }

    @AfterEach
    void end() throws InterruptedException, IOException {
        program.outputWriter(StandardCharsets.UTF_8).close();
        assertThat(program.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(program.exitValue())
                .as(Files.readString(home.resolve("stderr")))
                .isZero();
    }

    @Test
    void a_session_is_prompted_asked_about_cancelled_and_loaded_again() throws IOException {
        var greeting = result(ask("initialize", params().put("protocolVersion", 1)));
        assertThat(greeting.path("agentCapabilities").path("loadSession").asBoolean())
                .isTrue();
        var session = result(ask("session/new", here())).path("sessionId").asString();

        assertThat(prompt(session, "My favourite is the plum")).isEqualTo("end_turn");
        assertThat(spoken()).endsWith("You said: My favourite is the plum");
        assertThat(prompt(session, "run `echo 12 plums > made`")).isEqualTo("end_turn");
        assertThat(asked)
                .singleElement()
                .satisfies(params -> assertThat(
                                params.path("toolCall").path("title").asString())
                        .contains("echo 12 plums"));
        assertThat(statuses()).containsExactly("pending", "in_progress", "completed");
        assertThat(home.resolve("made")).hasContent("12 plums");

        permission = _ -> "reject";
        prompt(session, "run `echo 13 > never`");
        assertThat(statuses()).containsExactly("pending", "failed");
        permission = _ -> null;
        assertThat(prompt(session, "run `echo 14 > never`")).isEqualTo("cancelled");
        assertThat(home.resolve("never")).doesNotExist();

        interrupts = update -> update.path("sessionUpdate").asString("").equals("agent_message_chunk");
        assertThat(prompt(session, "count to 10000 slowly")).isEqualTo("cancelled");
        interrupts = _ -> false;
        cancelsAtOnce = true;
        assertThat(prompt(session, "count to 10000 slowly")).isEqualTo("cancelled");
        cancelsAtOnce = false;
        assertThat(prompt(session, "What did I say before?")).isEqualTo("end_turn");
        assertThat(spoken()).contains("1. My favourite is the plum");

        updates.clear();
        result(ask("session/load", here().put("sessionId", session)));
        assertThat(updates.getFirst().path("sessionUpdate").asString()).isEqualTo("user_message_chunk");
        assertThat(statuses()).containsSubsequence("pending", "completed");
        var listed = result(ask("session/list", params())).path("sessions");
        assertThat(listed.path(0).path("sessionId").asString()).isEqualTo(session);
    }

    @Test
    void what_is_answered_elsewhere_is_not_asked_again_and_what_waits_for_words_is_told() throws IOException {
        var session = result(ask("session/new", here())).path("sessionId").asString();
        permission = _ -> {
            elsewhere("session", "approve", session);
            return "allow";
        };
        assertThat(prompt(session, "run `echo plums >> " + home + "/made`")).isEqualTo("end_turn");
        assertThat(asked).hasSize(1);
        assertThat(spoken()).contains("The tool shell answered");
        assertThat(home.resolve("made")).hasContent("plums");

        assertThat(prompt(session, "call ask_input {\"question\":\"Which fruit?\"}"))
                .isEqualTo("end_turn");
        assertThat(spoken()).contains("Which fruit?");
        var refused = ask("session/prompt", said(session, "Something else"));
        assertThat(code(refused)).isEqualTo(-32600);
        assertThat(refused.path("error").path("message").asString())
                .contains("the prompt was not taken", "Which fruit?", "skein session approve " + session);
        elsewhere("session", "approve", session, "--answer", "pears");
        assertThat(prompt(session, "What did I say before?")).isEqualTo("end_turn");
        assertThat(spoken()).doesNotContain("Something else");
    }

    @Test
    void what_cannot_be_done_is_an_error_and_every_line_is_json() throws IOException {
        assertThat(code(ask("session/new", params().put("cwd", "/etc")))).isEqualTo(-32602);
        assertThat(code(ask("session/load", here().put("sessionId", "nonsense"))))
                .isEqualTo(-32602);
        assertThat(code(ask("session/prompt", params().put("sessionId", "01a1e360-03d2-7b09-bc1d-173cfea525b6"))))
                .isEqualTo(-32002);
        assertThat(code(ask("session/dance", params()))).isEqualTo(-32601);
        var session = result(ask("session/new", here())).path("sessionId").asString();
        assertThat(code(ask("session/prompt", params().put("sessionId", session))))
                .isEqualTo(-32602);
        send("{ not json");
        assertThat(code(Json.MAPPER.readTree(out.readLine()))).isEqualTo(-32700);
        send(cancel(session));
        assertThat(prompt(session, "still there?")).isEqualTo("end_turn");
        send(request("session/prompt", said(session, "count to 10000 slowly")) + "\n"
                + request("session/prompt", said(session, "too early")) + "\n" + cancel(session));
        var answers = new HashMap<Integer, JsonNode>();
        while (answers.size() < 2) {
            var message = Json.MAPPER.readTree(out.readLine());
            if (message.has("id")) {
                answers.put(message.path("id").asInt(), message);
            }
        }
        assertThat(code(answers.get(id))).isEqualTo(-32600);
        assertThat(result(answers.get(id - 1)).path("stopReason").asString()).isEqualTo("cancelled");
    }

    /// Runs the program a second time, as from a terminal.
    private void elsewhere(String... args) {
        var said = new ByteArrayOutputStream();
        var streams = new Streams(new ByteArrayInputStream(new byte[0]), said, said, Attached.PIPE);
        var env = Map.of("SKEIN_HOME", home.resolve("skein").toString(), "HOME", "/nowhere", "PATH", "/usr/bin:/bin");

        assertThat(Main.run(args, streams, env, Clock.systemUTC()))
                .as(said.toString(StandardCharsets.UTF_8))
                .isZero();
    }

    private ObjectNode here() throws IOException {
        var params = params().put("cwd", home.toRealPath().toString());
        params.putArray("mcpServers");
        return params;
    }

    private static ObjectNode params() {
        return Json.MAPPER.createObjectNode();
    }

    private String prompt(String session, String text) throws IOException {
        updates.clear();
        asked.clear();
        return result(ask("session/prompt", said(session, text)))
                .path("stopReason")
                .asString();
    }

    private static ObjectNode said(String session, String text) {
        var params = params().put("sessionId", session);
        params.putArray("prompt").addObject().put("type", "text").put("text", text);
        return params;
    }

    private String request(String method, ObjectNode params) {
        var request = params().put("jsonrpc", "2.0").put("id", ++id).put("method", method);
        request.set("params", params);
        return request.toString();
    }

    private String spoken() {
        var words = new StringBuilder();
        updates.stream()
                .filter(update -> update.path("sessionUpdate").asString().equals("agent_message_chunk"))
                .forEach(update ->
                        words.append(update.path("content").path("text").asString()));
        return words.toString();
    }

    private List<String> statuses() {
        return updates.stream()
                .filter(update -> update.has("status"))
                .map(update -> update.path("status").asString())
                .toList();
    }

    /// Sends a request and plays the editor until its answer is there.
    private JsonNode ask(String method, ObjectNode params) throws IOException {
        var request = request(method, params);
        send(cancelsAtOnce ? request + "\n" + cancel(params.path("sessionId").asString("")) : request);
        while (true) {
            var line = out.readLine();
            assertThat(line).as("the program is there").isNotNull();
            var message = Json.MAPPER.readTree(line);
            switch (message.path("method").asString("")) {
                case "session/update" -> heard(message.path("params"));
                case "session/request_permission" -> permit(message);
                default -> {
                    assertThat(message.path("id").asInt()).isEqualTo(id);
                    return message;
                }
            }
        }
    }

    private void heard(JsonNode params) throws IOException {
        var update = params.path("update");
        updates.add(update);
        if (interrupts.apply(update)) {
            interrupts = _ -> false;
            send(cancel(params.path("sessionId").asString()));
        }
    }

    private static String cancel(String session) {
        var cancel = params().put("jsonrpc", "2.0").put("method", "session/cancel");
        cancel.putObject("params").put("sessionId", session);
        return cancel.toString();
    }

    private void permit(JsonNode message) throws IOException {
        asked.add(message.path("params"));
        var chosen = permission.apply(message);
        var answer = params().put("jsonrpc", "2.0").put("id", message.path("id").asInt());
        var outcome = answer.putObject("result").putObject("outcome");
        if (chosen == null) {
            outcome.put("outcome", "cancelled");
        } else {
            outcome.put("outcome", "selected").put("optionId", chosen);
        }
        send(answer.toString());
    }

    private void send(String line) throws IOException {
        var writer = program.outputWriter(StandardCharsets.UTF_8);
        writer.write(line + "\n");
        writer.flush();
    }

    private static JsonNode result(JsonNode message) {
        assertThat(message.has("result")).as(message.toString()).isTrue();
        return message.path("result");
    }

    private static int code(JsonNode message) {
        return message.path("error").path("code").asInt();
    }
}

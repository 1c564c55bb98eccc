package dev.skein.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cli.AskingServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Many who use the MCP servers of one real `skein serve`: which of them share a process, and how a server's question
/// waits for an answer over HTTP.
class McpSessionsTest {

    private static final int SESSIONS = 50;
    private static final int PATIENCE_SECONDS = 120;

    /// Says whose it is: the token it was given. Notes every process of it.
    private static final String TOWN = """
            #!/bin/sh
            echo "$TOKEN" >> "$(dirname "$0")/started"
            while read -r line; do
              id=$(printf '%s' "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
              case "$line" in
                *'"initialize"'*) result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},
                  "serverInfo":{"name":"town","version":"1"}}' ;;
                *'"tools/list"'*) result='{"tools":[{"name":"whose","inputSchema":{"type":"object"}}]}' ;;
                *'"tools/call"'*) result='{"content":[{"type":"text","text":"I belong to '$TOKEN'"}]}' ;;
                *) continue ;;
              esac
              printf '{"jsonrpc":"2.0","id":%s,"result":%s}' "$id" "$result" | tr '\\n' ' '
              printf '\\n'
            done
            """;

    /// Servers that differ in nothing but their name and the token they are given.
    private static final Map<String, String> TENANTS = Map.of("north", "red", "south", "blue", "west", "green");

    @TempDir
    static Path home;

    private static Path town;
    private static Path asks;
    private static ServeProcess server;

    @BeforeAll
    static void open() throws IOException {
        town = Files.createDirectory(home.resolve("town")).resolve("server");
        Files.writeString(town, TOWN);
        Files.setPosixFilePermissions(town, PosixFilePermissions.fromString("rwx------"));
        asks = AskingServer.in(home.resolve("asks"));
        var entries = new ArrayList<String>();
        TENANTS.forEach((name, token) -> entries.add(
                "\"%s\": {\"command\": \"%s\", \"env\": {\"TOKEN\": \"%s\"}}".formatted(name, town, token)));
        entries.add("\"asks\": {\"command\": \"%s\"}".formatted(asks));
        Files.writeString(home.resolve("mcp.json"), "{\"mcpServers\": {" + String.join(", ", entries) + "}}");
        var function = Files.createDirectory(home.resolve("functions")).resolve("count");
        Files.writeString(function, "#!/bin/sh\necho 1\n");
        Files.writeString(function.resolveSibling("count.json"), """
                {"name": "count", "description": "Counts.", "parameters": {"type": "object"}}""");
        Files.setPosixFilePermissions(function, PosixFilePermissions.fromString("rwx------"));
        Files.writeString(home.resolve("config.yaml"), """
                mcp_servers: []
                permissions:
                  allow: ["*__*"]
                mcp_pool:
                  start_wait_seconds: 60
                server:
                  requests_per_second: 1000
                  requests_burst: 1000
                """);
        server = new ServeProcess(home);
    }

    @AfterAll
    static void close() {
        server.close();
    }

    @Test
    void fifty_sessions_over_three_configurations_start_three_processes_and_never_meet_in_one() throws Exception {
        var names = List.copyOf(TENANTS.keySet());
        var answers = new ArrayList<Future<String>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var start = new CountDownLatch(1);
            for (int i = 0; i < SESSIONS; i++) {
                var name = names.get(i % names.size());
                answers.add(threads.submit(() -> {
                    start.await();
                    var id = server.post("/v1/sessions", "{\"mcp_servers\": [\"" + name + "\"]}")
                            .path("id")
                            .asString("");
                    return said(id, "call " + name + "__whose {}").toString();
                }));
            }
            start.countDown();
            for (int i = 0; i < SESSIONS; i++) {
                var mine = TENANTS.get(names.get(i % names.size()));
                assertThat(answers.get(i).get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                        .contains("I belong to " + mine)
                        .doesNotContain(others(mine));
            }
        }
        assertThat(started()).containsExactlyInAnyOrderElementsOf(TENANTS.values());
        assertThat(names).allSatisfy(name -> assertThat(listedTools()).contains(name + "__whose"));
    }

    private static List<String> others(String mine) {
        return TENANTS.values().stream()
                .filter(token -> !token.equals(mine))
                .map(token -> "I belong to " + token)
                .toList();
    }

    @Test
    void a_servers_question_waits_in_the_session_and_its_answer_over_http_lets_the_call_go_on() throws Exception {
        var id = session();
        var before = calls();
        assertThat(said(id, "call asks__color {}").toString()).contains("waiting");

        var question = waiting(id);
        assertThat(question.toString()).contains("Which color?").contains("asks");
        var misfit = approve(id, question, "{\"approved\": true, \"note\": \"purple\"}");
        assertThat(misfit.toString()).doesNotContain("action:accept");
        var answered = approve(id, waiting(id), "{\"approved\": true, \"note\": \"blue\"}");

        assertThat(answered.toString()).contains("action:accept,content:color:blue");
        assertThat(server.get("/v1/sessions/" + id + "/approvals").path("approvals"))
                .isEmpty();
        assertThat(calls() - before).as("the call was open all the time").isEqualTo(1);
    }

    @Test
    void a_model_is_asked_for_a_server_only_after_a_yes_over_http() throws Exception {
        var id = session();
        said(id, "call asks__think {}");
        var question = waiting(id);
        assertThat(question.toString()).contains("what is best in life");
        assertThat(approve(id, question, "{\"approved\": true}").toString()).contains("role:assistant");

        var other = session();
        said(other, "call asks__think {}");
        assertThat(approve(other, waiting(other), "{\"approved\": false}").toString())
                .contains("heard")
                .doesNotContain("role:assistant,");
    }

    @Test
    void a_list_of_tools_starts_no_server_and_knows_what_is_in_functions() throws Exception {
        var before = started();
        var tools = server.get("/v1/tools");

        assertThat(started()).isEqualTo(before);
        assertThat(names(tools.path("tools"))).contains("read", "count");
        var known = new HashSet<String>();
        tools.path("unlisted_servers").forEach(name -> known.add(name.asString("")));
        tools.path("tools").forEach(tool -> known.add(tool.path("server").asString("")));
        assertThat(known).contains("asks", "north", "south", "west");
    }

    private static List<String> started() throws IOException {
        var file = town.resolveSibling("started");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    private static String session() throws Exception {
        return server.post("/v1/sessions", "{\"mcp_servers\": [\"asks\"]}")
                .path("id")
                .asString("");
    }

    private static JsonNode said(String id, String prompt) throws Exception {
        return server.post("/v1/sessions/" + id + "/completions", "{\"prompt\": \"" + prompt + "\"}");
    }

    private static JsonNode waiting(String id) throws Exception {
        var approvals = server.get("/v1/sessions/" + id + "/approvals").path("approvals");
        assertThat(approvals).hasSize(1);
        return approvals.path(0);
    }

    private static JsonNode approve(String id, JsonNode question, String answer) throws Exception {
        var call = question.path("call").asString("");
        var decided = server.post("/v1/sessions/" + id + "/approvals/" + call, answer);
        assertThat(decided.path("error").isMissingNode()).as("%s", decided).isTrue();
        return server.post("/v1/sessions/" + id + "/continue", "{}");
    }

    private static int calls() throws IOException {
        return Files.exists(asks.resolveSibling("calls")) ? AskingServer.calls(asks) : 0;
    }

    private static List<String> listedTools() {
        try {
            return names(server.get("/v1/tools").path("tools"));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> names(JsonNode tools) {
        var names = new ArrayList<String>();
        tools.forEach(tool -> names.add(tool.path("name").asString("")));
        return names;
    }
}

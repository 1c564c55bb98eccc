package dev.skein.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// MCP servers behind a real `skein serve`: offered, kept, told about, reloaded, ended.
class McpOverHttpTest {

    private static final String SERVER = """
            #!/bin/sh
            echo $$ >> "$(dirname "$0")/pids"
            while read -r line; do
              id=$(printf '%s' "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
              case "$line" in
                *'"initialize"'*) result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},
                  "serverInfo":{"name":"tiny","version":"1"}}' ;;
                *'"tools/list"'*) result='{"tools":[{"name":"greet","inputSchema":{"type":"object"}}]}' ;;
                *'"tools/call"'*) result='{"content":[{"type":"text","text":"Hello from tiny"}]}' ;;
                *) continue ;;
              esac
              printf '{"jsonrpc":"2.0","id":%s,"result":%s}' "$id" "$result" | tr '\\n' ' '
              printf '\\n'
            done
            """;

    @TempDir
    Path home;

    @Test
    void runs_over_http_use_kept_servers_and_hear_which_are_missing() throws Exception {
        var tiny = script();
        Files.writeString(
                home.resolve("config.yaml"), "permissions:\n  allow: [tiny__*]\nmcp_pool:\n  start_wait_seconds: 20\n");
        configure("""
                {"mcpServers": {"tiny": {"command": "%s"}, "broken": {"command": "/bin/false"}}}""".formatted(tiny));
        try (var server = new ServeProcess(home)) {
            String streamed;
            try (var events =
                    server.stream("/v1/completions", "{\"prompt\": \"call tiny__greet {}\", \"stream\": true}")) {
                streamed =
                        events.until(event -> event.name().equals("finished")).toString();
            }
            assertThat(streamed).contains("Hello from tiny").contains("warning").contains("broken");
            assertThat(posted(server, "/v1/completions", "{\"prompt\": \"call tiny__greet {}\"}"))
                    .contains("Hello from tiny");
            assertThat(posted(server, "/v1/completions", "{\"prompt\": \"call tiny__greet {}\", \"mcp_servers\": []}"))
                    .doesNotContain("Hello from tiny");
            assertThat(posted(server, "/v1/completions", "{\"prompt\": \"hi\", \"mcp_servers\": [\"nope\"]}"))
                    .contains("there is no MCP server 'nope'");

            assertThat(Files.readAllLines(tiny.resolveSibling("pids"))).hasSize(1);
            assertThat(server.text("/v1/info/mcp"))
                    .contains("\"name\":\"tiny\",\"state\":\"idle\"")
                    .contains("\"idle\":1");
            assertThat(server.text("/metrics")).containsPattern("(?m)^mcp_pool_size 1\\.0");

            configure("{\"mcpServers\": {}}");
            assertThat(posted(server, "/v1/mcp/reload", "{}")).contains("\"servers\":[]");
            assertThat(server.text("/v1/info/mcp")).contains("\"idle\":0");
            assertEnded(tiny);
            configure("{\"mcpServers\": {\"tiny\": {\"command\": \"%s\"}}}".formatted(tiny));
            server.post("/v1/mcp/reload", "{}");
            assertThat(posted(server, "/v1/completions", "{\"prompt\": \"call tiny__greet {}\"}"))
                    .contains("Hello from tiny");
            server.stop();
            server.ends();
        }
        assertThat(Files.readAllLines(tiny.resolveSibling("pids"))).hasSize(2);
        assertEnded(tiny);
    }

    private static String posted(ServeProcess server, String path, String body) throws Exception {
        return server.post(path, body).toString();
    }

    private Path script() throws IOException {
        var script = Files.createDirectory(home.resolve("tiny")).resolve("server");
        Files.writeString(script, SERVER);
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }

    private void configure(String json) throws IOException {
        Files.writeString(home.resolve("mcp.json"), json);
    }

    /// By its command line, since a number in a namespace of its own says nothing.
    private static void assertEnded(Path script) throws IOException {
        try (var all = Files.list(Path.of("/proc"))) {
            assertThat(all.filter(process -> process.getFileName().toString().matches("[0-9]+"))
                            .filter(process -> commandLine(process).contains(script.toString())))
                    .isEmpty();
        }
    }

    private static String commandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"));
        } catch (IOException _) {
            return "";
        }
    }
}

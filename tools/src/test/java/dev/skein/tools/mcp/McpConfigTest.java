package dev.skein.tools.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.InvalidRequest;
import dev.skein.tools.mcp.config.McpConfig;
import dev.skein.tools.mcp.config.McpConfigFile;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.wire.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class McpConfigTest {

    private static final Map<String, String> ENV = Map.of("TOKEN", "s3cret-value", "HOME", "/home/me");

    @TempDir
    Path directory;

    @Test
    void without_a_file_there_are_no_servers_and_no_problems() {
        assertThat(McpConfig.read(directory.resolve("mcp.json"), _ -> Optional.empty()))
                .isEqualTo(McpConfig.NONE);
    }

    @Test
    void the_format_of_other_tools_is_read_with_variables_filled_in() throws IOException {
        var config = read("""
                {"mcpServers": {
                  "files": {"command": "npx", "args": ["-y", "server", "${HOME}/notes", "${LEVEL:-info}"],
                            "env": {"KEY": "{{TOKEN}}"}, "cwd": "sub", "timeout_seconds": 7,
                            "idle_timeout_seconds": 900, "autoApprove": ["x"]},
                  "web": {"type": "http", "url": "https://example.org/mcp?x=1",
                          "headers": {"X-Team": "a"}, "bearer": "${env:TOKEN}"},
                  "off": {"command": "x", "disabled": true}
                }}""");

        assertThat(config.problems()).isEmpty();
        assertThat(config.disabled()).containsExactly("off");
        var files = config.servers().get("files");
        assertThat(files.reach())
                .isEqualTo(new McpServer.Reach.Child(
                        "npx",
                        List.of("-y", "server", "/home/me/notes", "info"),
                        Map.of("KEY", "s3cret-value"),
                        Path.of("sub")));
        assertThat(files.timeout()).isEqualTo(Duration.ofSeconds(7));
        assertThat(files.idle()).isEqualTo(Duration.ofMinutes(15));
        assertThat(config.servers().get("web").reach())
                .isEqualTo(new McpServer.Reach.Web(
                        URI.create("https://example.org/mcp?x=1"),
                        Map.of("X-Team", "a", "Authorization", "Bearer s3cret-value")));
        assertThat(config.secrets().values()).contains("s3cret-value");
        assertThat(config.toString()).doesNotContain("s3cret");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {}                                                            | has no 'command' and no 'url'
            7                                                             | is not an object
            {"command": "x", "url": "https://a"}                          | both a command and a url
            {"url": "https:///x"}                                         | neither http nor https, or has no host
            {"command": "${MISSING}"}                                     | the variable MISSING is not set
            {"command": "x", "args": "y"}                                 | 'args' are not a list
            {"command": "x", "args": [{}]}                                | 'args' is not a text
            {"command": "x", "env": {"A B": "1"}}                         | no name of a variable
            {"command": "x", "timeout_seconds": -1}                       | whole number from 1
            {"command": "x", "protocol": "old"}                           | auto, session or stateless
            {"url": "ftp://a.org"}                                        | neither http nor https
            {"url": "https://me:pw@a.org"}                                | holds a password
            {"type": "sse", "url": "https://a.org"}                       | 'sse' is not spoken here
            {"url": "https://a.org", "headers": {"X\\nY": "1"}}           | cannot be set
            {"url": "https://a.org", "headers": {"X": "1\\r\\nEvil: 2"}}  | characters that no header may
            {"url": "https://a.org", "headers": {"Host": "b.org"}}        | cannot be set
            {"url": "http://a.org", "headers": {"Authorization": "x"}}    | over plain http
            """)
    void what_is_wrong_with_a_server_is_told_with_its_name_and_the_others_work(String entry, String reason)
            throws IOException {
        var config = read("{\"mcpServers\": {\"bad\": " + entry + ", \"good\": {\"command\": \"x\"}}}");

        assertThat(config.servers()).containsOnlyKeys("good");
        assertThat(config.problems())
                .singleElement()
                .satisfies(problem ->
                        assertThat(problem.toString()).contains("'bad'").contains(reason));
    }

    @Test
    void headers_over_plain_http_are_fine_on_this_machine() throws IOException {
        var config = read("""
                {"mcpServers": {"a": {"url": "http://127.0.0.1:1/x", "headers": {"A": "b"}},
                                "b": {"url": "http://localhost/x", "headers": {"A": "b"}}}}""");

        assertThat(config.problems()).isEmpty();
    }

    @Test
    void two_names_that_look_alike_to_a_model_are_not_both_used() throws IOException {
        var config =
                read("{\"mcpServers\": {\"my server\": {\"command\": \"x\"}, \"my_server\": {\"command\": \"y\"}}}");

        assertThat(config.servers()).containsOnlyKeys("my server");
        assertThat(config.problems())
                .singleElement()
                .asString()
                .contains("'my_server'")
                .contains("'my server'");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {"mcpServers": [}  | line 1 is not JSON
            []                 | has no object 'mcpServers'
            """)
    void a_file_that_makes_no_sense_is_a_problem_and_no_crash(String text, String reason) throws IOException {
        assertThat(read(text).problems()).singleElement().asString().contains(reason);
    }

    @Test
    void a_change_leaves_everything_else_in_the_file_as_it_was() throws IOException {
        var path = directory.resolve("mcp.json");
        Files.writeString(path, "{\"inputs\": [1], \"mcpServers\": {\"a\": {\"command\": \"x\", \"gallery\": true}}}");
        var file = new McpConfigFile(path);

        file.put("b", Json.MAPPER.createObjectNode().put("command", "y"));

        assertThat(Json.MAPPER.readTree(Files.readString(path)))
                .isEqualTo(Json.MAPPER.readTree("{\"inputs\": [1], \"mcpServers\": {\"a\": {\"command\": \"x\","
                        + " \"gallery\": true}, \"b\": {\"command\": \"y\"}}}"));
        assertThat(file.remove("a")).isTrue();
        assertThat(file.remove("a")).isFalse();
        assertThat(Files.getPosixFilePermissions(path)).hasSize(2);
    }

    @Test
    void a_broken_file_is_not_overwritten() throws IOException {
        var path = directory.resolve("mcp.json");
        Files.writeString(path, "{ half");

        assertThatThrownBy(() -> new McpConfigFile(path).put("b", Json.MAPPER.createObjectNode()))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("mend it first");
        assertThat(Files.readString(path)).isEqualTo("{ half");
    }

    private McpConfig read(String text) throws IOException {
        var file = directory.resolve("mcp.json");
        Files.writeString(file, text);
        return McpConfig.read(file, name -> Optional.ofNullable(ENV.get(name)));
    }
}

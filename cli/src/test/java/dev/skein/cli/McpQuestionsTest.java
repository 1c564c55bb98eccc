package dev.skein.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server that wants to know something in the middle of a call: of a person, or of a model.
class McpQuestionsTest {

    private static final String SERVER = """
            #!/bin/sh
            say() {
              printf '%s' "$1" | tr '\\n' ' '
              printf '\\n'
            }
            while read -r line; do
              id=$(printf '%s' "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
              case "$line" in
                *'"initialize"'*) printf '%s\\n' "$line" > "$(dirname "$0")/hello"
                  result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},
                  "serverInfo":{"name":"asks","version":"1"}}' ;;
                *'"tools/list"'*) result='{"tools":[{"name":"color","inputSchema":{"type":"object"}},
                  {"name":"think","inputSchema":{"type":"object"}}]}' ;;
                *'"tools/call"'*)
                  echo call >> "$(dirname "$0")/calls"
                  say '{"jsonrpc":"2.0","method":"notifications/message",
                    "params":{"level":"info","data":"one moment"}}'
                  case "$line" in
                    *'"color"'*) say '{"jsonrpc":"2.0","id":"q1","method":"elicitation/create",
                      "params":{"message":"Which color?","requestedSchema":{"type":"object",
                      "properties":{"color":{"type":"string","enum":["blue","red"]}},"required":["color"]}}}' ;;
                    *) say '{"jsonrpc":"2.0","id":"q1","method":"sampling/createMessage",
                      "params":{"maxTokens":50,"messages":[{"role":"user",
                      "content":{"type":"text","text":"what is best in life"}}]}}' ;;
                  esac
                  read -r answer
                  said=$(printf '%s' "$answer" | tr -d '"\\\\{}')
                  result='{"content":[{"type":"text","text":"heard '$said'"}]}' ;;
                *) continue ;;
              esac
              printf '{"jsonrpc":"2.0","id":%s,"result":%s}' "$id" "$result" | tr '\\n' ' '
              printf '\\n'
            done
            """;

    @TempDir
    Path home;

    private Cli cli;
    private Path server;

    @BeforeEach
    void make() throws IOException {
        cli = new Cli(home);
        cli.env.put("PATH", "/usr/bin:/bin");
        server = Files.createDirectory(home.resolve("asks")).resolve("server");
        Files.writeString(server, SERVER);
        assertThat(server.toFile().setExecutable(true)).isTrue();
        Files.writeString(home.resolve("config.yaml"), "permissions:\n  allow: [asks__*]\n");
        cli.run("mcp", "add", "asks", "--", server.toString());
    }

    private int calls() throws IOException {
        return Files.readAllLines(server.resolveSibling("calls")).size();
    }

    @Test
    void a_person_at_the_terminal_is_asked_and_the_same_call_goes_on() throws IOException {
        var said = cli.typing("blue").merged("-s", "talk", "call asks__color {}");

        assertThat(said)
                .contains("'asks' wants to know something of you")
                .contains("Which color?")
                .contains("one moment")
                .contains("action:accept,content:color:blue");
        assertThat(calls()).isEqualTo(1);
        assertThat(Files.readString(server.resolveSibling("hello")))
                .contains("elicitation")
                .contains("sampling");
    }

    @Test
    void an_answer_that_does_not_fit_is_asked_for_again_and_none_declines() throws IOException {
        assertThat(cli.typing("green\nred").merged("-s", "talk", "call asks__color {}"))
                .contains("content:color:red");
        assertThat(cli.typing("").merged("-s", "other", "call asks__color {}")).contains("action:decline");
        assertThat(calls()).isEqualTo(2);
    }

    @Test
    void where_nobody_sits_the_question_waits_in_the_session_for_an_answer() throws IOException {
        assertThat(cli.run("-s", "talk", "call asks__color {}").code()).isEqualTo(13);
        assertThat(cli.run("session", "show", "talk", "--json").out()).contains("waiting");

        var answered = cli.run("session", "approve", "talk", "--answer", "blue");

        assertThat(answered.out()).contains("content:color:blue");
        // The first program is gone, and its call with it.
        assertThat(calls()).isEqualTo(2);
    }

    @Test
    void a_model_is_asked_for_a_server_only_after_a_yes() {
        assertThat(cli.typing("y").merged("-s", "talk", "call asks__think {}"))
                .contains("wants to ask your model this")
                .contains("what is best in life")
                .contains("role:assistant");
        assertThat(cli.typing("n").merged("-s", "other", "call asks__think {}"))
                .contains("heard")
                .contains("error")
                .doesNotContain("role:assistant,");
    }
}

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

    @TempDir
    Path home;

    private Cli cli;
    private Path server;

    @BeforeEach
    void make() throws IOException {
        cli = new Cli(home);
        cli.env.put("PATH", "/usr/bin:/bin");
        server = AskingServer.in(home.resolve("asks"));
        Files.writeString(home.resolve("config.yaml"), "permissions:\n  allow: [asks__*]\n");
        cli.run("mcp", "add", "asks", "--", server.toString());
    }

    private int calls() throws IOException {
        return AskingServer.calls(server);
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

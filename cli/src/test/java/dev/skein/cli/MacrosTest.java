package dev.skein.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.message.Message;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Macros and preludes, on the command line.
class MacrosTest {

    @TempDir
    Path home;

    private Cli cli;

    @BeforeEach
    void start() throws IOException {
        cli = new Cli(home);
        Files.createDirectories(home.resolve("macros"));
        Files.writeString(Files.createDirectories(home.resolve("roles")).resolve("poet.md"), "You are a poet.");
    }

    @Test
    void a_macro_does_its_steps_with_what_it_is_given() throws IOException {
        macro("compare", """
                description: Compares two things
                variables:
                  - name: one
                  - name: other
                    default: plums
                  - {name: why, rest: true, default: "for fun"}
                steps:
                  - .session compared
                  - .role poet
                  - Compare {{one}} with {{ other }}
                  - "why? {{why}}, {{{no gap}}}"
                """);
        var ran = cli.run("--macro", "compare", "apples", "pears", "I", "like", "fruit");

        assertThat(ran.err()).doesNotContain("skein:");
        assertThat(ran.code()).isZero();
        assertThat(said("compared")).contains("Compare apples with pears", "why? I like fruit, {{{no gap}}}");
        assertThat(ran.out()).contains("You said: Compare apples with pears");

        cli.run("--macro", "compare", "apples");
        assertThat(said("compared")).contains("Compare apples with plums", "why? for fun, {{{no gap}}}");
    }

    @Test
    void a_macro_runs_in_the_session_and_role_of_the_command_line() throws IOException {
        macro("greet", "steps: [hello there]\n");
        assertThat(cli.run("-s", "greeted", "-r", "poet", "--macro", "greet").code())
                .isZero();
        assertThat(said("greeted")).contains("hello there");
    }

    @Test
    void what_it_lacks_or_has_too_much_is_told_with_how_it_is_called() throws IOException {
        macro("compare", "variables: [{name: one}, {name: other, default: x}]\nsteps: ['{{one}}']\n");
        assertThat(cli.run("--macro", "compare").err()).contains("needs 'one'", "compare ONE [OTHER]");
        assertThat(cli.run("--macro", "compare", "a", "b", "c").err()).contains("with 'c'");
        assertThat(cli.run("--macro", "compere", "a").err()).contains("did you mean 'compare'?");
        assertThat(cli.session("list").out()).contains("no sessions");
    }

    @Test
    void a_step_that_fails_ends_it_and_is_named_with_its_line() throws IOException {
        macro("broken", """
                steps:
                  - .session before
                  - said before it fails
                  - .role nobody
                  - never said
                """);
        var ran = cli.run("--macro", "broken");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("broken.yaml, line 4", "step 3 of 4", "there is no role 'nobody'");
        assertThat(said("before")).contains("said before it fails").doesNotContain("never said");
    }

    @Test
    void a_call_that_waits_ends_it_where_nobody_can_say_yes() throws IOException {
        macro("acts", "steps:\n  - .session acting\n  - run `echo hello`\n  - never said\n");
        var ran = cli.run("--macro", "acts");

        assertThat(ran.code()).isEqualTo(12);
        assertThat(ran.err()).contains("line 3", "step 2 of 3", "skein session approve acting");
        assertThat(said("acting")).doesNotContain("never said");
    }

    @Test
    void what_fills_a_gap_cannot_become_a_command() throws IOException {
        cli.having("precious", "Keep this", "Kept.");
        macro("say", "variables: [{name: what, rest: true}]\nsteps: ['.session said', '{{what}}']\n");
        assertThat(cli.run("--macro", "say", ".delete precious").code()).isZero();
        assertThat(said("said")).contains(".delete precious");
        assertThat(said("precious")).contains("Keep this");
    }

    @Test
    void macros_run_macros_but_not_without_end() throws IOException {
        macro("outer", "steps: [.macro inner deep, .session after, the end]\n");
        macro("inner", "variables: [{name: x}]\nsteps: [.session within, 'inside {{x}}']\n");
        assertThat(cli.run("--macro", "outer").code()).isZero();
        assertThat(said("within")).contains("inside deep");
        assertThat(said("after")).contains("the end").doesNotContain("inside deep");

        macro("round", "steps: [.macro round]\n");
        var ran = cli.run("--macro", "round");
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err())
                .containsOnlyOnce("round.yaml, line 1: step 1 of 1")
                .contains("more than 8 deep");
    }

    @Test
    void everything_that_is_wrong_with_a_file_is_told_with_its_line() throws IOException {
        macro("wrong", """
                variables:
                  - name: rest
                    rest: true
                  - name: 1st
                stepz: []
                steps:
                  - "{{nobody}}"
                  - ""
                """);
        assertThat(cli.run("--macro", "wrong").err())
                .contains("line 4", "line 7", "{{nobody}}", "line 8", "is empty", "stepz", "takes all the rest");
        macro("none", "description: nothing\n");
        assertThat(cli.run("--macro", "none").err()).contains("steps: is a list of lines");
        macro("ok", "steps: [hello]\n");
        var listed = cli.run("macros");
        assertThat(listed.out()).contains("ok", "1 step");
        assertThat(listed.err()).contains("wrong.yaml", "none.yaml");
        assertThat(cli.run("macros", "list", "--json")
                        .json()
                        .at("/macros/0/name")
                        .asString(""))
                .isEqualTo("ok");
        assertThat(cli.run("macros", "show", "ok").out()).contains("1. hello");
        assertThat(cli.run("macros", "show", "../config").code()).isEqualTo(2);
        assertThat(cli.run("completion", "--words", "macros").out()).contains("ok");
    }

    @Test
    void a_prelude_says_how_a_prompt_begins_unless_the_command_line_does() throws IOException {
        Files.writeString(home.resolve("config.yaml"), """
                cmd_prelude: daily:poet
                agent_prelude: work
                """);
        cli.run("good morning");
        assertThat(said("daily")).contains("good morning");
        assertThat(cli.session("show", "daily", "--json").json().path("role").asString(""))
                .isEqualTo("poet");

        cli.run("-s", "other", "good evening");
        cli.run("--no-session", "good night");
        assertThat(said("daily")).doesNotContain("good evening", "good night");

        Files.writeString(home.resolve("config.yaml"), "cmd_prelude: poet\nrepl_prelude: 'session:'\n");
        var ran = cli.run("hello");
        assertThat(ran.code()).isZero();
        assertThat(ran.err()).contains("line 1: cmd_prelude: is role:NAME, session:NAME or SESSION:ROLE", "line 2");
    }

    private void macro(String name, String text) throws IOException {
        Files.writeString(home.resolve("macros").resolve(name + ".yaml"), text);
    }

    private List<String> said(String name) {
        var said = new ArrayList<String>();
        cli.withStore(store -> {
            var id = store.resolve(Scope.LOCAL, new SessionAlias(name)).orElseThrow();
            try (var session = store.open(Scope.LOCAL, id)) {
                session.context(1_000).messages().stream().map(Message::text).forEach(said::add);
            }
        });
        return said;
    }
}

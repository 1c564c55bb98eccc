package dev.skein.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Agents from files, as people use them on the command line.
class AgentsTest {

    @TempDir
    Path home;

    private Cli cli;

    @BeforeEach
    void program() {
        cli = new Cli(home);
    }

    @Test
    void an_agent_tells_the_model_its_task_and_how_to_run() throws IOException {
        agent("coder", """
                description: Writes programs
                model: offline:skein
                temperature: 0.2
                top_p: 0.5
                tools: [read, grep]
                mcp_servers: []
                instructions: |
                  You write {{language}}, and {{ nothing }} else.
                variables:
                  - name: language
                    description: Which language?
                    default: Java
                """);

        var asked = dryRun("-a", "coder", "hello");

        assertThat(asked.path("system").asString()).isEqualTo("You write Java, and {{ nothing }} else.");
        assertThat(asked.at("/sampling/temperature").asDouble()).isEqualTo(0.2);
        assertThat(asked.at("/sampling/top_p").asDouble()).isEqualTo(0.5);
        assertThat(tools(asked)).containsExactly("read", "grep");
    }

    @Test
    void what_the_request_says_counts_before_the_agent_and_the_agent_before_the_role_and_the_settings_of_all()
            throws IOException {
        Files.writeString(home.resolve("config.yaml"), "instructions: for all\ntools: [glob]\n");
        Files.createDirectories(home.resolve("roles"));
        Files.writeString(home.resolve("roles/poet.md"), "---\ntools: [grep]\n---\nYou are a poet.");
        agent("coder", "instructions: You write programs.\ntools: [read]\n");
        agent("vague", "description: says nothing about itself\n");

        assertThat(dryRun("-a", "coder", "-r", "poet", "hello").path("system").asString())
                .isEqualTo("You write programs.");
        assertThat(tools(dryRun("-a", "coder", "-r", "poet", "hello"))).containsExactly("read");
        assertThat(dryRun("-a", "vague", "-r", "poet", "hello").path("system").asString())
                .isEqualTo("You are a poet.");
        assertThat(tools(dryRun("-a", "vague", "hello"))).containsExactly("glob");
        assertThat(dryRun("-a", "coder", "--system", "just now", "hello")
                        .path("system")
                        .asString())
                .isEqualTo("just now");
        assertThat(tools(dryRun("-a", "coder", "--tools", "list", "hello"))).containsExactly("list");
    }

    @Test
    void the_task_can_stand_in_a_file_of_its_own_and_a_command_can_add_to_it() throws IOException {
        agent("coder", """
                instructions_command: echo "for $AGENT_VAR_WHO:"; ls
                variables:
                  - name: who
                    default: nobody
                """);
        Files.writeString(home.resolve("agents/coder/instructions.md"), "You write programs.\n");

        cli.run("-a", "coder", "-s", "work", "--agent-variable", "who=Ann", "hello");

        var told = "You write programs.\n\nfor Ann:\nconfig.yaml\ninstructions.md";
        assertThat(dryRun("-a", "coder", "-s", "work", "again").path("system").asString())
                .startsWith(told);
        Files.writeString(home.resolve("agents/coder/later.md"), "");
        assertThat(dryRun("-a", "coder", "-s", "work", "again").path("system").asString())
                .doesNotContain("later");
    }

    @Test
    void a_command_that_fails_is_told_with_the_file_it_stands_in() throws IOException {
        agent("coder", "instructions_command: echo no such luck >&2; exit 3\n");

        var ran = cli.run("-a", "coder", "hello");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err())
                .contains("agents/coder/config.yaml: instructions_command: it failed with code 3: no such");
    }

    @Test
    void what_an_agent_has_to_know_is_given_once_and_kept_with_the_session() throws IOException {
        agent("coder", """
                instructions: You write {{language}}.
                variables:
                  - name: language
                    description: Which language?
                """);

        var without = cli.run("-a", "coder", "-s", "work", "hello");
        assertThat(without.code()).isEqualTo(2);
        assertThat(without.err())
                .contains("the agent 'coder' needs to know 'language' (Which language?)")
                .contains("--agent-variable language=VALUE");
        assertThat(cli.session("list", "-a", "coder").out()).doesNotContain("work");

        assertThat(cli.run("-a", "coder", "-s", "work", "--agent-variable", "language=Rust", "hello")
                        .code())
                .isZero();
        assertThat(dryRun("-a", "coder", "-s", "work", "again").path("system").asString())
                .isEqualTo("You write Rust.");
        assertThat(cli.run("-a", "coder", "--agent-variable", "colour=red", "x").err())
                .contains("the agent 'coder' has no variable 'colour'; it has [language]");
        assertThat(cli.run("--agent-variable", "colour=red", "x").err()).contains("name the agent with -a");
    }

    @Test
    void an_agents_sessions_live_with_it_and_outlive_it() throws IOException {
        agent("coder", "instructions: You write programs.\n");
        cli.run("-a", "coder", "-s", "work", "hello");

        assertThat(home.resolve("agents/coder/sessions/by-id")).isDirectory();
        assertThat(cli.session("list").out()).doesNotContain("work");
        assertThat(cli.session("list", "--agent", "coder").out()).contains("work");

        Files.delete(home.resolve("agents/coder/config.yaml"));
        assertThat(cli.run("-a", "coder", "-s", "work", "more").code()).isZero();
        var fresh = cli.run("-a", "coder", "-s", "other", "hello");
        assertThat(fresh.code()).isEqualTo(2);
        assertThat(fresh.err()).contains("there is no agent 'coder'; there are none yet");
    }

    @Test
    void everything_that_is_wrong_with_an_agent_is_told_with_its_line_and_the_others_work() throws IOException {
        agent("good", "instructions: You help.\n");
        agent("bad", """
                temperature: hot
                instructions: one
                toolz: [read]
                variables:
                  - description: no name
                limits:
                  turns: 0
                auto_continue: perhaps
                """);
        Files.writeString(home.resolve("agents/bad/instructions.md"), "two");

        var ran = cli.run("-a", "bad", "hello");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err())
                .contains("config.yaml, line 1: temperature: is a number")
                .contains("line 2: instructions: stands here and in instructions.md")
                .contains("line 3: toolz: is no setting; did you mean 'tools'?")
                .contains("variables.0.name: is missing")
                .contains("line 7: limits.turns: is a whole number")
                .contains("line 8: auto_continue: is true or false");
        assertThat(cli.run("-a", "good", "hello").code()).isZero();
    }

    @Test
    void an_agents_rules_count_before_those_of_all_but_what_those_deny_stays_denied() throws IOException {
        Files.writeString(home.resolve("config.yaml"), """
                permissions:
                  deny: ["shell(rm *)"]
                """);
        agent("coder", """
                tools: [shell]
                permissions:
                  allow: [shell]
                limits:
                  turns: 3
                """);

        var allowed = cli.run("-a", "coder", "call shell {\"command\": \"echo hi there\"}");
        assertThat(allowed.out() + allowed.err()).contains("hi there");
        var denied = cli.run("-a", "coder", "call shell {\"command\": \"rm nothing\"}");
        assertThat(denied.out() + denied.err()).contains("the rule 'shell(rm *)' denies it");
    }

    private static List<String> tools(JsonNode asked) {
        return asked.path("tools")
                .valueStream()
                .map(tool -> tool.path("name").asString())
                .toList();
    }

    private JsonNode dryRun(String... args) {
        var all = new ArrayList<>(List.of("--dry-run"));
        all.addAll(List.of(args));
        var ran = cli.run(all.toArray(String[]::new));
        assertThat(ran.code()).as(ran.err()).isZero();
        return Json.MAPPER.readTree(ran.out());
    }

    private void agent(String name, String config) throws IOException {
        var directory = Files.createDirectories(home.resolve("agents").resolve(name));
        Files.writeString(directory.resolve("config.yaml"), config);
    }
}

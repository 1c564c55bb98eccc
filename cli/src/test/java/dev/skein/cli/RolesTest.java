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

/// Roles from files, as people use them on the command line.
class RolesTest {

    @TempDir
    Path home;

    private Cli cli;

    @BeforeEach
    void program() {
        cli = new Cli(home);
    }

    @Test
    void examples_are_shown_as_if_they_had_been_said_and_variables_are_filled() throws IOException {
        Files.writeString(Files.createDirectories(home.resolve("roles")).resolve("sailor.md"), """
                Speak like a sailor on {{__os_family__}}. {{ __unknown__ }} {{NAME}}
                ### INPUT:
                Turn right.
                ### OUTPUT:
                Hard to starboard!
                ### INPUT:
                Stop.
                ### OUTPUT:
                Drop anchor!
                """);
        var asked = cli.run("--dry-run", "-r", "sailor", "Turn left.").json();
        assertThat(asked.path("system").asString(""))
                .startsWith("Speak like a sailor on unix. {{ __unknown__ }} {{NAME}}");
        assertThat(asked.path("messages")
                        .valueStream()
                        .map(message -> message.path("role").asString("") + " "
                                + message.at("/parts/0/text").asString("")))
                .containsExactly(
                        "user Turn right.",
                        "assistant Hard to starboard!",
                        "user Stop.",
                        "assistant Drop anchor!",
                        "user Turn left.");

        Files.writeString(home.resolve("roles/half.md"), "Be odd.\n### OUTPUT:\nfirst\n### INPUT:\nlast\n");
        var half = cli.run("--dry-run", "-r", "half", "hi").json();
        assertThat(half.path("system").asString("")).contains("Be odd.", "### INPUT:");
        assertThat(half.path("messages")).hasSize(1);
    }

    @Test
    void a_role_tells_the_model_its_task_and_how_to_run() throws IOException {
        role("poet", """
                ---
                description: Answers in verse
                model: offline:skein
                temperature: 0.2
                tools: read, grep
                something_of_another_tool: 7
                ---
                You are a poet.

                Answer in verse.
                """);

        var asked = dryRun("-r", "poet", "hello");

        assertThat(asked.path("system").asString()).isEqualTo("You are a poet.\n\nAnswer in verse.");
        assertThat(asked.path("sampling").path("temperature").asDouble()).isEqualTo(0.2);
        assertThat(asked.path("tools")
                        .valueStream()
                        .map(tool -> tool.path("name").asString()))
                .containsExactly("read", "grep");
    }

    @Test
    void what_the_request_says_counts_before_the_role_and_the_role_before_the_settings_of_all() throws IOException {
        Files.writeString(home.resolve("config.yaml"), "instructions: for all\ntools: [glob]\n");
        role("poet", "---\ntools: [read]\n---\nYou are a poet.");

        assertThat(dryRun("hello").path("system").asString()).isEqualTo("for all");
        assertThat(dryRun("-r", "poet", "hello").path("system").asString()).isEqualTo("You are a poet.");
        assertThat(dryRun("-r", "poet", "--system", "just now", "hello")
                        .path("system")
                        .asString())
                .isEqualTo("just now");
        assertThat(dryRun("-r", "poet", "--tools", "grep", "hello")
                        .at("/tools/0/name")
                        .asString())
                .isEqualTo("grep");
    }

    @Test
    void a_session_made_in_a_role_stays_in_it_also_when_the_role_is_gone() throws IOException {
        role("poet", "You are a poet.");
        cli.run("-s", "verse", "-r", "poet", "one");

        assertThat(dryRun("-s", "verse", "two").path("system").asString()).isEqualTo("You are a poet.");

        Files.delete(home.resolve("roles/poet.md"));
        assertThat(cli.run("-s", "verse", "three").code()).isZero();
    }

    @Test
    void a_prompt_with_a_place_for_the_input_is_put_around_what_is_said() throws IOException {
        role("shout", "Say this louder: __INPUT__!");

        var asked = dryRun("-r", "shout", "hello");

        assertThat(asked.path("system").isMissingNode()).isTrue();
        assertThat(asked.at("/messages/0/parts/0/text").asString()).isEqualTo("Say this louder: hello!");
    }

    @Test
    void a_role_that_is_not_there_is_named_with_those_that_are() throws IOException {
        role("poet", "You are a poet.");

        var ran = cli.run("-r", "pilot", "hello");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("there is no role 'pilot'; there are [poet]");
        assertThat(cli.session("list").out()).doesNotContain("hello");
    }

    @Test
    void a_role_name_leads_nowhere_else() throws IOException {
        Files.writeString(home.resolve("secret.md"), "do not read this");
        role("poet", "You are a poet.");

        assertThat(cli.run("-r", "../secret", "hello").code()).isEqualTo(2);
    }

    @Test
    void roles_are_listed_and_a_broken_one_is_told_with_its_line() throws IOException {
        role("poet", "---\ndescription: Answers in verse\n---\nYou are a poet.");
        role("broken", "---\ntemperature: [1\n---\nx");
        role("warm", "---\ntemperature: hot\n---\nx");

        var ran = cli.run("roles");

        assertThat(ran.out()).contains("poet").contains("Answers in verse");
        assertThat(ran.err()).contains("broken.md, line ").contains("warm.md: temperature is a number, not 'hot'");
        assertThat(Json.MAPPER
                        .readTree(cli.run("roles", "--json").out())
                        .path("problems")
                        .size())
                .isEqualTo(2);
    }

    private JsonNode dryRun(String... args) {
        var all = new ArrayList<>(List.of("--dry-run"));
        all.addAll(List.of(args));
        var ran = cli.run(all.toArray(String[]::new));
        assertThat(ran.code()).as(ran.err()).isZero();
        return Json.MAPPER.readTree(ran.out());
    }

    private void role(String name, String text) throws IOException {
        Files.createDirectories(home.resolve("roles"));
        Files.writeString(home.resolve("roles/" + name + ".md"), text);
    }
}

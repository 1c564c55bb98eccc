package dev.skein.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.wire.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The agents of `docs/examples`, copied as a person would, and run with the offline model.
class ExampleAgentsTest {

    @TempDir
    Path home;

    private Cli cli;

    @BeforeEach
    void copied() throws IOException {
        var here = Path.of("").toAbsolutePath();
        var docs = Files.isDirectory(here.resolve("docs")) ? here.resolve("docs") : here.resolveSibling("docs");
        var examples = docs.resolve("examples/agents");
        try (var files = Files.walk(examples)) {
            files.forEach(file -> copy(file, home.resolve("agents").resolve(examples.relativize(file))));
        }
        cli = new Cli(home);
    }

    private static void copy(Path from, Path to) {
        try {
            if (Files.isDirectory(from)) {
                Files.createDirectories(to);
            } else {
                Files.copy(from, to);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void they_are_listed_and_shown() {
        var listed = cli.run("agents");
        assertThat(listed.err()).isEmpty();
        assertThat(listed.out()).contains("coder").contains("coordinator").contains("Answers from its documents");

        var shown = cli.run("agents", "show", "coordinator");
        assertThat(shown.out())
                .contains("coder, researcher")
                .contains("You do no work yourself")
                .contains("starter 1");
        assertThat(Json.MAPPER
                        .readTree(cli.run("agents", "list", "--json").out())
                        .path("agents"))
                .hasSize(3);
        assertThat(cli.run("agents", "show", "codr").err()).contains("did you mean 'coder'?");
    }

    @Test
    void the_coder_looks_at_the_files_and_may_do_what_its_rules_allow() {
        var looked = cli.run("-a", "coder", "list the files in src");
        assertThat(looked.code()).isZero();
        assertThat(looked.out()).contains("The tool list answered").contains("main");

        var pushed = cli.run("-a", "coder", "call shell {\"command\": \"git push --force\"}");
        assertThat(pushed.out()).contains("the rule 'shell(git push*)' denies it");
    }

    @Test
    void what_a_sub_agent_may_not_do_alone_is_approved_in_the_session_of_the_coordinator() {
        var asked = cli.run(
                "-a",
                "coordinator",
                "-s",
                "echo",
                "call agent_spawn {\"agent\": \"coder\", \"task\": \"call shell"
                        + " {\\\"command\\\": \\\"echo from below\\\"}\"}");

        assertThat(asked.code()).as(asked.err()).isEqualTo(13);
        assertThat(asked.err()).contains("echo from below");

        var approved = cli.run("-a", "coordinator", "session", "approve", "echo");

        assertThat(approved.code()).as(approved.err()).isZero();
        var told = cli.run("-a", "coordinator", "session", "export", "echo", "--format", "json")
                .out();
        assertThat(told)
                .contains("the sub-agent 'coder' asks")
                .contains("The sub-agent coder")
                .contains("from below");
    }

    @Test
    void the_coordinator_has_the_coder_look_and_the_researcher_read_and_the_tree_shows_both() {
        var ran = cli.run(
                "-a",
                "coordinator",
                "-s",
                "boats",
                "call agent_spawn {\"agent\": \"coder\", \"task\": \"list the files in src\"} and"
                        + " call agent_spawn {\"agent\": \"researcher\", \"task\": \"How does a lock lift a boat?\"}");

        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.err()).contains("reading the documents of the agent 'researcher'");
        var told = cli.run("-a", "coordinator", "session", "show", "boats", "--json")
                        .out()
                + cli.run("-a", "coordinator", "session", "export", "boats", "--format", "json")
                        .out();
        assertThat(told).contains("The sub-agent coder").contains("The sub-agent researcher");
        var tree = cli.run("-a", "coordinator", "session", "tree", "boats").out();
        assertThat(tree)
                .containsPattern("agent_spawn: session \\S+ of agent coder · completed")
                .containsPattern("agent_spawn: session \\S+ of agent researcher · completed");

        var asked = cli.run("-a", "researcher", "--dry-run", "How does a lock lift a boat?")
                .json();
        assertThat(asked.path("messages").path(0).toString()).contains("chamber with a gate", "locks.md");
        assertThat(asked.path("system").asString()).startsWith("You answer questions from the passages");
        assertThat(cli.run("agents", "build", "researcher").out()).contains("2 as before");
        assertThat(cli.run("agents", "build", "coder").err()).contains("the agent 'coder' has no documents");
    }
}

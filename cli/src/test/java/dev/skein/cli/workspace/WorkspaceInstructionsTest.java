package dev.skein.cli.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cli.Main;
import dev.skein.cli.terminal.Streams;
import dev.skein.testkit.ChildJvm;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkspaceInstructionsTest {

    @TempDir
    Path directory;

    private Path repository;
    private Path here;

    @BeforeEach
    void make() throws IOException {
        repository = Files.createDirectories(directory.resolve("repository"));
        here = Files.createDirectories(repository.resolve("web/shop"));
        Files.createDirectories(repository.resolve(".git"));
        Files.writeString(directory.resolve("AGENTS.md"), "Above everything.");
        Files.writeString(repository.resolve("AGENTS.md"), "Use tabs.");
        Files.writeString(here.resolve("AGENTS.md"), "Prices are in cents.");
    }

    @Test
    void files_count_from_the_root_of_the_repository_down_to_here() {
        var found = WorkspaceInstructions.of(here);
        assertThat(found.files()).containsExactly("AGENTS.md", "web/shop/AGENTS.md");
        assertThat(found.text())
                .containsSubsequence("From AGENTS.md:", "Use tabs.", "From web/shop/AGENTS.md:", "Prices are in cents.")
                .doesNotContain("Above everything");
        assertThat(found.behind("Be brief.")).startsWith("Be brief.\n\nThe directory you work in says:");
        assertThat(found.behind(null)).startsWith("The directory you work in says:");
    }

    @Test
    void outside_of_a_repository_only_this_directory_counts() throws IOException {
        Files.delete(repository.resolve(".git"));
        assertThat(WorkspaceInstructions.of(here).files()).containsExactly("AGENTS.md");
        assertThat(WorkspaceInstructions.of(here).text()).contains("cents").doesNotContain("tabs");
        assertThat(WorkspaceInstructions.of(repository.resolve("web"))).isEqualTo(WorkspaceInstructions.NONE);
        assertThat(WorkspaceInstructions.NONE.behind(null)).isNull();
    }

    @Test
    void a_link_counts_only_if_it_stays_in_the_repository() throws IOException {
        Files.writeString(directory.resolve("id_rsa"), "a private key");
        Files.delete(here.resolve("AGENTS.md"));
        Files.createSymbolicLink(here.resolve("AGENTS.md"), directory.resolve("id_rsa"));
        var found = WorkspaceInstructions.of(here);
        assertThat(found.text()).contains("tabs").doesNotContain("private key");
        assertThat(found.problems()).singleElement().asString().contains("leads out of");

        Files.delete(here.resolve("AGENTS.md"));
        Files.writeString(repository.resolve("CONVENTIONS.md"), "Round half up.");
        Files.createSymbolicLink(here.resolve("AGENTS.md"), repository.resolve("CONVENTIONS.md"));
        assertThat(WorkspaceInstructions.of(here).text()).contains("Round half up.");
    }

    @Test
    void too_much_is_cut_and_told_and_what_is_no_text_is_left_out() throws IOException {
        Files.writeString(repository.resolve("AGENTS.md"), "x".repeat(100_000));
        var found = WorkspaceInstructions.of(here);
        assertThat(found.text().length()).isLessThan(WorkspaceInstructions.CHARS_MAX + 200);
        assertThat(found.problems()).anyMatch(problem -> problem.contains("is cut"));

        Files.write(repository.resolve("AGENTS.md"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        Files.delete(here.resolve("AGENTS.md"));
        Files.createDirectory(here.resolve("AGENTS.md"));
        var strange = WorkspaceInstructions.of(here);
        assertThat(strange.text()).isEmpty();
        assertThat(strange.problems()).hasSize(2);
    }

    /// Previews prompts in the directory this process was started in.
    static final class Previewing {
        static void main(String[] args) throws IOException {
            for (var config : List.of("", "workspace_instructions: false\n")) {
                Files.writeString(Path.of(args[0], "config.yaml"), config);
                Main.run(
                        new String[] {"--dry-run", "--system", "Be brief.", "hello"},
                        new Streams(InputStream.nullInputStream(), out(), out(), Streams.Attached.PIPE),
                        Map.of("SKEIN_HOME", args[0]),
                        Clock.systemUTC());
            }
        }
    }

    private static FileOutputStream out() {
        return new FileOutputStream(FileDescriptor.out);
    }

    @Test
    void a_prompt_is_told_what_the_directory_says_unless_settings_switch_it_off() throws Exception {
        var home = Files.createDirectories(directory.resolve("home"));
        try (var child = ChildJvm.start(
                Previewing.class, List.of("env", "-C", here.toString()), Map.of("SKEIN_HOME", home.toString()), home)) {
            var lines = child.rest();
            assertThat(lines).hasSize(2);
            assertThat(lines.getFirst()).contains("Be brief.", "Use tabs.", "Prices are in cents.");
            assertThat(lines.getLast()).contains("Be brief.").doesNotContain("Use tabs.");
            assertThat(child.await()).isZero();
        }
    }
}

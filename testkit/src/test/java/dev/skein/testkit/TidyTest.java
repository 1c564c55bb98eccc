package dev.skein.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TidyTest {

    /// What may be untidy, and why.
    private static final Map<String, String> EXEMPT = Map.of();

    @TempDir
    Path directory;

    @Test
    void the_repository_is_tidy() throws IOException {
        var root = Path.of("").toAbsolutePath().getParent();

        assertThat(String.join("\n", Tidy.complaintsAbout(root, EXEMPT))).isEmpty();
    }

    @Test
    void an_empty_repository_is_tidy() throws IOException {
        assertThat(Tidy.complaintsAbout(directory, Map.of())).isEmpty();
    }

    @Test
    void banned_words_are_found_and_the_remedy_is_named() throws IOException {
        write("engine/src/test/java/x/Some.java", "var now = Instant" + ".now();", "// TO" + "DO: more");

        assertThat(Tidy.complaintsAbout(directory, Map.of()))
                .containsExactly(
                        "engine/src/test/java/x/Some.java: line 1: not Instant" + ".now(), use the injected Clock",
                        "engine/src/test/java/x/Some.java: line 2: not TO" + "DO, use an issue, or do it now");
    }

    @Test
    void only_the_command_line_prints() throws IOException {
        write("cli/src/test/java/x/Some.java", "System" + ".out.println();");
        write("api/src/test/java/x/Some.java", "System" + ".out.println();");

        assertThat(Tidy.complaintsAbout(directory, Map.of())).hasSize(1).allMatch(it -> it.startsWith("api/"));
    }

    @Test
    void long_files_long_lines_empty_names_and_silent_packages_are_found() throws IOException {
        write("api/src/main/java/x/StringUtils.java", "\n".repeat(400), "x".repeat(121));

        assertThat(Tidy.complaintsAbout(directory, Map.of())).hasSize(4);
    }

    @Test
    void an_exemption_silences_and_must_have_a_cause() throws IOException {
        write("api/src/test/java/x/SomeHelper.java", "");
        var exempt = Map.of("api/src/test/java/x/SomeHelper.java", "historic", "gone.java", "forgotten");

        assertThat(Tidy.complaintsAbout(directory, exempt))
                .containsExactly("gone.java: is exempt (forgotten) but not there, remove the exemption");
    }

    @Test
    void a_changelog_begins_with_what_is_unreleased() throws IOException {
        write("CHANGELOG.md", "# Changelog", "", "## 1.0");

        assertThat(Tidy.complaintsAbout(directory, Map.of()))
                .containsExactly("CHANGELOG.md: does not begin with '## Unreleased', add that section");
    }

    @Test
    void links_in_the_docs_lead_somewhere() throws IOException {
        write("README.md", "[a](docs/a.md) [b](docs/b.md#part) [web](https://example.org) [here](#here)");
        write("docs/a.md", "[up](../README.md)", "```", "[not](a-link.md)", "```");

        assertThat(Tidy.complaintsAbout(directory, Map.of()))
                .containsExactly("README.md: links to 'docs/b.md#part', which is not there");
    }

    private void write(String path, String... lines) throws IOException {
        var file = directory.resolve(path);
        Files.createDirectories(file.getParent());
        Files.write(file, List.of(lines));
    }
}

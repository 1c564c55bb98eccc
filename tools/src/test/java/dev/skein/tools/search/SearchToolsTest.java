package dev.skein.tools.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.tool.Tool;
import dev.skein.tools.call.Calls;
import dev.skein.tools.files.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class SearchToolsTest {

    @TempDir
    Path directory;

    private Path root;
    private List<Tool> tools;

    @BeforeEach
    void build() throws IOException {
        root = Files.createDirectory(directory.resolve("work"));
        Files.createDirectories(root.resolve("src/deep"));
        Files.createDirectories(root.resolve(".git"));
        Files.writeString(root.resolve("Top.java"), "class Top {}\n");
        Files.writeString(root.resolve("src/A.java"), "class A {\n  // Fruit\n}\n");
        Files.writeString(root.resolve("src/deep/b.md"), "fruit and fruit\n");
        Files.writeString(root.resolve(".git/config"), "fruit\n");
        Files.write(root.resolve("picture"), "fruit\0".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        Files.writeString(directory.resolve("secret"), "fruit\n");
        Files.createSymbolicLink(root.resolve("door"), directory);
        tools = SearchTools.in(Workspace.at(root), Duration.ofSeconds(60), System::nanoTime);
    }

    @Test
    void files_are_found_by_pattern_in_order() throws InterruptedException {
        assertThat(Calls.words(tools, "glob", "pattern", "**/*.java")).isEqualTo("Top.java\nsrc/A.java\n");
        assertThat(Calls.words(tools, "glob", "pattern", "*.java")).isEqualTo("Top.java\nsrc/A.java\n");
        assertThat(Calls.words(tools, "glob", "pattern", "src/*.{java,md}")).isEqualTo("src/A.java\n");
        assertThat(Calls.words(tools, "glob", "pattern", "[!A-Z]?md")).isEqualTo("src/deep/b.md\n");
        assertThat(Calls.words(tools, "glob", "pattern", "deep/*", "path", "src"))
                .isEqualTo("src/deep/b.md\n");
        assertThat(Calls.words(tools, "glob", "pattern", "config")).isEqualTo("[nothing found]");
        assertThat(Calls.words(tools, "glob", "pattern", "{a")).contains("is not a file pattern");
        assertThat(Calls.words(tools, "glob", "pattern", "[a")).contains("close it");
        assertThat(Calls.words(tools, "glob", "pattern", "*", "path", "..")).contains("outside the workspace");
    }

    @Test
    void lines_are_found_in_texts_only_and_not_outside_or_in_git() throws InterruptedException {
        assertThat(Calls.words(tools, "grep", "pattern", "fruit")).isEqualTo("src/deep/b.md:1: fruit and fruit\n");
        assertThat(Calls.words(tools, "grep", "pattern", "FRUIT", "ignore_case", true))
                .isEqualTo("src/A.java:2:   // Fruit\nsrc/deep/b.md:1: fruit and fruit\n");
        assertThat(Calls.words(tools, "grep", "pattern", "^class", "files", "*.java", "limit", 1))
                .isEqualTo("Top.java:1: class Top {}\n[cut: there are more than 1; narrow the search]\n");
        assertThat(Calls.words(tools, "grep", "pattern", "and", "path", "src/deep/b.md"))
                .isEqualTo("src/deep/b.md:1: fruit and fruit\n");
        assertThat(Calls.words(tools, "grep", "pattern", "fruit", "path", "door"))
                .contains("is a symbolic link");
        assertThat(Calls.words(tools, "grep", "pattern", "fruit", "path", "nowhere"))
                .contains("is not there");
        assertThat(Calls.words(tools, "grep", "pattern", "(")).contains("is not a regular expression");
    }

    @Test
    @Timeout(60)
    void a_pattern_that_would_take_for_ever_is_stopped() throws IOException, InterruptedException {
        Files.writeString(root.resolve("trap"), "a".repeat(300) + "!\n");

        var hasty = SearchTools.in(Workspace.at(root), Duration.ofSeconds(1), System::nanoTime);
        assertThat(Calls.words(hasty, "grep", "pattern", "a*".repeat(30) + "b", "path", "trap"))
                .contains("the search took too long");
        Files.writeString(root.resolve("a".repeat(200)), "");
        assertThat(Calls.words(hasty, "glob", "pattern", "*a".repeat(30) + "b")).contains("the search took too long");
    }

    @Test
    void a_pattern_that_is_too_deep_is_explained() throws IOException, InterruptedException {
        Files.writeString(root.resolve("deep.txt"), "ab".repeat(30_000) + "\n");

        assertThat(Calls.words(tools, "grep", "pattern", "(a|b)*c", "path", "deep.txt"))
                .containsAnyOf("too deep", "took too long");
    }

    @Test
    void an_interrupt_ends_a_search() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> Calls.run(tools, "grep", "pattern", "x")).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }
}

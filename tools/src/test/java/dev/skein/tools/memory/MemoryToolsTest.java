package dev.skein.tools.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.tool.Tool;
import dev.skein.tools.call.Calls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryToolsTest {

    @TempDir
    Path home;

    @Test
    void what_is_remembered_is_found_again_and_can_be_forgotten() throws Exception {
        assertThat(memory("action", "list")).isEqualTo("there are no notes yet");
        remember("action", "add", "name", "fruit", "text", "Plums are ripe in August.");
        remember("action", "add", "name", "fruit", "text", "Pears come later.");
        remember("action", "replace", "name", "tools", "text", "The ladder is at the neighbours'.");

        assertThat(memory("action", "read", "name", "fruit"))
                .isEqualTo("Plums are ripe in August.\nPears come later.\n");
        assertThat(memory("action", "list"))
                .isEqualTo("fruit: Plums are ripe in August.\ntools: The ladder is at the" + " neighbours'.");
        assertThat(memory("action", "search", "text", "LADDER")).startsWith("tools: The ladder");
        assertThat(Files.readString(home.resolve("memory/fruit.md"))).contains("Plums");

        assertThat(remember("action", "forget", "name", "fruit")).contains("is gone");
        assertThat(memory("action", "read", "name", "fruit")).startsWith("failed: there is no note");
    }

    @Test
    void names_lead_nowhere_else_and_notes_are_bounded() throws Exception {
        Files.writeString(home.resolve("secret.md"), "a secret");
        Files.createDirectories(home.resolve("memory"));
        Files.createSymbolicLink(home.resolve("memory/link.md"), home.resolve("secret.md"));
        for (var name : List.of("../secret", "/etc/passwd", "A", "", ".lock", "a/b")) {
            assertThat(memory("action", "read", "name", name)).startsWith("failed: '" + name + "' is no name");
            assertThat(remember("action", "add", "name", name, "text", "x")).startsWith("failed: ");
        }
        assertThat(memory("action", "read", "name", "link")).startsWith("failed: ");
        remember("action", "replace", "name", "link", "text", "mine");
        assertThat(Files.readString(home.resolve("secret.md"))).isEqualTo("a secret");
        assertThat(remember("action", "add", "name", "long", "text", "x".repeat(70_000)))
                .contains("at most");
        assertThat(memory("action", "dance")).contains("use list, read or search");
    }

    @Test
    void nothing_is_lost_when_many_add_at_once() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var added = threads.invokeAll(IntStream.range(0, 40)
                    .mapToObj(i -> (Callable<String>)
                            () -> remember("action", "add", "name", "many", "text", "line " + i + "."))
                    .toList());
            for (var each : added) {
                assertThat(each.get()).contains("kept");
            }
        }
        assertThat(memory("action", "read", "name", "many").lines()).hasSize(40).doesNotHaveDuplicates();
    }

    private List<Tool> tools() {
        return MemoryTools.in(home.resolve("memory"));
    }

    private String memory(Object... arguments) throws InterruptedException {
        return Calls.words(tools(), "memory", arguments);
    }

    private String remember(Object... arguments) throws InterruptedException {
        return Calls.words(tools(), "remember", arguments);
    }
}

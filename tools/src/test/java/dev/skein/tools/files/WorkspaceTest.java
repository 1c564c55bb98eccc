package dev.skein.tools.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.tool.Tool;
import dev.skein.tools.call.Calls;
import dev.skein.tools.call.Refused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkspaceTest {

    @TempDir
    Path directory;

    private Path root;
    private Path outside;
    private Workspace workspace;
    private List<Tool> tools;

    @BeforeEach
    void build() throws IOException {
        root = Files.createDirectories(directory.resolve("work"));
        outside = Files.createDirectories(directory.resolve("work-secret"));
        Files.writeString(outside.resolve("key"), "secret");
        Files.createDirectories(root.resolve("a/b"));
        Files.writeString(root.resolve("a/b/c.txt"), "inside\n");
        workspace = Workspace.at(root);
        tools = FileTools.in(workspace);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "..",
                "../work-secret/key",
                "a/../../work-secret/key",
                "a/b/../../../work-secret/key",
                "./../x",
                "/etc/passwd",
                "/",
                "//etc/passwd"
            })
    void paths_that_lead_outside_are_refused(String path) throws InterruptedException {
        for (var name : List.of("read", "write", "edit", "list")) {
            assertThat(Calls.words(tools, name, "path", path, "content", "x", "old", "secret", "new", "x"))
                    .as(name)
                    .startsWith("failed: '" + path + "' is outside the workspace");
        }
        assertThat(outside.resolve("key")).hasContent("secret");
    }

    @Test
    void a_sibling_whose_name_begins_like_the_workspace_is_outside() {
        assertThatThrownBy(() -> workspace.names(outside.resolve("key").toString()))
                .isInstanceOf(Refused.class);
    }

    @Test
    void a_path_may_be_absolute_or_go_up_as_long_as_it_stays_inside() throws InterruptedException {
        assertThat(Calls.words(tools, "read", "path", root.resolve("a/b/c.txt").toString()))
                .contains("inside");
        assertThat(Calls.words(tools, "read", "path", "a/x/../b/./c.txt")).contains("inside");
    }

    @Test
    void empty_and_impossible_paths_are_refused() throws InterruptedException {
        assertThat(Calls.words(tools, "read", "path", " ")).contains("the path is empty");
        assertThat(Calls.words(tools, "read", "path", "a\0b")).contains("is not a path");
        assertThat(Calls.words(tools, "read", "path", ".")).contains("name a file in it");
    }

    @Test
    void a_link_is_followed_nowhere_on_the_way() throws IOException, InterruptedException {
        Files.createSymbolicLink(root.resolve("door"), outside);
        Files.createSymbolicLink(root.resolve("key"), outside.resolve("key"));
        Files.createSymbolicLink(root.resolve("a/inside"), root.resolve("a/b"));

        for (var path : List.of("door/key", "door/new", "door/deep/new", "key", "a/inside/c.txt")) {
            for (var name : List.of("read", "write", "edit")) {
                assertThat(Calls.words(tools, name, "path", path, "content", "x", "old", "secret", "new", "x"))
                        .as(name + " " + path)
                        .contains("is a symbolic link, and links are not followed");
            }
        }
        assertThat(Calls.words(tools, "list", "path", "door")).contains("is a symbolic link");
        assertThat(outside.resolve("key")).hasContent("secret");
        try (var left = Files.list(outside)) {
            assertThat(left).hasSize(1);
        }
    }

    @Test
    void a_link_that_leads_nowhere_yet_is_not_written_through() throws IOException, InterruptedException {
        Files.createSymbolicLink(root.resolve("later"), outside.resolve("later"));

        assertThat(Calls.words(tools, "write", "path", "later", "content", "x")).contains("is a symbolic link");
        assertThat(outside.resolve("later")).doesNotExist();
    }

    @Test
    void a_directory_swapped_for_a_link_after_it_was_opened_leads_nowhere() throws IOException {
        try (var folder = workspace.folder("a/b")) {
            Files.move(root.resolve("a/b"), root.resolve("a/moved"));
            Files.createSymbolicLink(root.resolve("a/b"), outside);

            assertThat(folder.find("key")).isEmpty();
            assertThat(folder.find("c.txt")).isPresent();
        }
    }

    @Test
    void under_a_storm_of_swaps_nothing_is_read_outside() throws Exception {
        var target = Files.createDirectory(root.resolve("swap"));
        Files.writeString(target.resolve("key"), "inside");
        var parked = root.resolve("parked");

        storm(
                () -> {
                    Files.move(target, parked);
                    Files.createSymbolicLink(target, outside);
                    Files.delete(target);
                    Files.move(parked, target);
                },
                () -> assertThat(Calls.words(tools, "read", "path", "swap/key")).doesNotContain("secret"));
    }

    @Test
    void under_a_storm_of_swaps_nothing_is_written_outside() throws Exception {
        var target = root.resolve("swap");
        var parked = new AtomicInteger();

        storm(
                () -> {
                    if (Files.isDirectory(target)) {
                        Files.move(target, root.resolve("parked-" + parked.incrementAndGet()));
                    }
                    Files.createSymbolicLink(target, outside);
                    Files.delete(target);
                },
                () -> Calls.run(tools, "write", "path", "swap/new", "content", "x"));

        try (var left = Files.list(outside)) {
            assertThat(left).containsExactly(outside.resolve("key"));
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    /// Does both for a while, side by side.
    private static void storm(Step swap, Step work) throws Exception {
        var swaps = new AtomicInteger();
        var swapper = Thread.ofPlatform().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    swap.run();
                    swaps.incrementAndGet();
                } catch (Exception _) {
                    // The worker made something meanwhile: again.
                }
            }
        });
        try {
            var deadline = System.nanoTime() + Duration.ofSeconds(2).toNanos();
            while (System.nanoTime() < deadline) {
                work.run();
            }
        } finally {
            swapper.interrupt();
            swapper.join();
        }
        assertThat(swaps).hasPositiveValue();
    }

    @Test
    void writing_over_a_hard_link_leaves_the_other_name_alone() throws IOException, InterruptedException {
        Files.createLink(root.resolve("hard"), outside.resolve("key"));

        Calls.run(tools, "write", "path", "hard", "content", "mine");

        assertThat(root.resolve("hard")).hasContent("mine");
        assertThat(outside.resolve("key")).hasContent("secret");
    }

    @Test
    void a_workspace_must_be_a_directory_but_may_be_reached_by_a_link() throws IOException {
        Files.createSymbolicLink(directory.resolve("alias"), root);

        assertThat(Workspace.at(directory.resolve("alias")).root()).isEqualTo(root.toRealPath());
        assertThatThrownBy(() -> Workspace.at(outside.resolve("key"))).hasMessageContaining("is not a directory");
    }
}

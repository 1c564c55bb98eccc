package dev.skein.tools.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.Cancelled;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolSpec;
import dev.skein.tools.call.Calls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShellToolTest {

    private static final AtomicInteger COUNTER = new AtomicInteger();

    /// What a tree of processes does: a child, a grandchild that left the session, a double fork, all in one word.
    private static final String TREE = "for i in 1 2 3; do setsid nohup sh -c 'sleep 1000 # WORD' >/dev/null 2>&1 &"
            + " done; (setsid sh -c 'sleep 1001; : WORD' &); sh -c 'sleep 1002; : WORD' &"
            + " echo started; touch ready; wait";

    @TempDir
    Path directory;

    private Tool shell;
    private String word;

    @BeforeEach
    void build() {
        shell = ShellTool.in(directory, environment(), 20_000);
        word = "tree-" + ProcessHandle.current().pid() + "-" + COUNTER.incrementAndGet() + "-";
    }

    private static ChildEnvironment environment() {
        return ChildEnvironment.of(
                Map.of("PATH", System.getenv("PATH"), "LC_ALL", "C", "OPENAI_API_KEY", "canary-key", "EXTRA", "more"),
                Set.of("EXTRA"));
    }

    private String words(Object... arguments) throws InterruptedException {
        return Calls.words(Calls.run(shell, new Cancellation(), arguments));
    }

    @Test
    void it_runs_in_the_workspace_and_tells_output_and_exit_code() throws Exception {
        Files.writeString(directory.resolve("here"), "");

        var outcome = Calls.run(shell, new Cancellation(), "command", "ls; echo oops >&2; exit 3");

        assertThat(Calls.words(outcome)).isEqualTo("here\noops\n[exit code 3]");
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        ToolOutcome.Answered.class,
                        answered -> assertThat(String.valueOf(answered.data())).isEqualTo("{\"exit_code\":3}"));
    }

    @Test
    void its_input_is_closed_and_it_has_no_terminal() throws Exception {
        assertThat(words("command", "cat; printf end; tty")).startsWith("endnot a tty");
    }

    @Test
    void only_what_is_allowed_of_the_environment_is_there() throws Exception {
        assertThat(words("command", "env | cut -d= -f1 | sort | tr '\\n' ' '"))
                .contains("EXTRA LC_ALL", "PATH")
                .doesNotContain("OPENAI_API_KEY");
        assertThat(words("command", "echo $EXTRA; grep -c canary /proc/self/environ"))
                .startsWith("more\n0");
    }

    @Test
    void a_flood_is_cut_in_the_middle_and_costs_no_memory() throws Exception {
        var words = words("command", "echo first; yes", "timeout_seconds", 2);

        assertThat(words).hasSizeLessThan(21_000).contains("no end within 2 s", "first\ny\n", " bytes left out]");
        assertThat(words("command", "echo first; yes | head -n 1000000; echo last"))
                .startsWith("first\ny\n")
                .contains(" bytes left out]")
                .endsWith("last\n[exit code 0]");
    }

    @Test
    void a_program_that_ignores_the_polite_signal_is_killed_in_time() throws Exception {
        var start = System.nanoTime();

        var words =
                words("command", "trap '' TERM INT HUP; echo deaf; while :; do sleep 1; done", "timeout_seconds", 1);

        assertThat(words).startsWith("failed: no end within 1 s").contains("deaf");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
    }

    @Test
    void a_program_that_hears_the_polite_signal_may_clean_up() throws Exception {
        words("command", "trap 'echo bye > bye; exit' TERM; sleep 100 & wait", "timeout_seconds", 1);

        assertThat(directory.resolve("bye")).hasContent("bye");
    }

    @Test
    void the_whole_tree_dies_when_the_time_is_over() throws Exception {
        needsNamespace();

        var words = words("command", tree(), "timeout_seconds", 1);

        assertThat(words).contains("started");
        assertThat(Processes.with(word)).isZero();
    }

    @Test
    void the_whole_tree_dies_when_the_run_is_cancelled() throws Exception {
        needsNamespace();
        var cancellation = new Cancellation();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = threads.submit(() -> Calls.run(shell, cancellation, "command", tree()));
            awaitTree();
            var start = System.nanoTime();

            cancellation.cancel("enough");

            assertThatThrownBy(() -> running.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(Cancelled.class);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
            assertThat(Processes.with(word)).isZero();
        }
    }

    @Test
    void the_whole_tree_dies_when_the_thread_is_interrupted() throws Exception {
        needsNamespace();
        var thread = Thread.ofVirtual().start(() -> {
            try {
                Calls.run(shell, new Cancellation(), "command", tree());
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        awaitTree();

        thread.interrupt();

        assertThat(thread.join(Duration.ofSeconds(60))).isTrue();
        assertThat(Processes.with(word)).isZero();
    }

    @Test
    void what_is_left_in_the_background_ends_with_the_command() throws Exception {
        needsNamespace();

        var words = words("command", "setsid sh -c 'sleep 1000; : " + word + "' & echo done");

        assertThat(words).isEqualTo("done\n[exit code 0]");
        assertThat(Processes.with(word)).isZero();
    }

    @Test
    void the_whole_tree_dies_when_we_are_killed() throws Exception {
        needsNamespace();
        var parent = child(tree());
        awaitTree();

        parent.destroyForcibly().waitFor();

        Processes.await("the tree is gone", () -> Processes.with(word) == 0);
    }

    @Test
    void a_secret_in_our_environment_cannot_be_seen_below() throws Exception {
        var parent = child("env; cat /proc/*/environ | tr '\\0' '\\n'; echo ${SECRET_CANARY:-unseen}");

        assertThat(parent.waitFor(60, TimeUnit.SECONDS)).isTrue();
        var seen = Files.readString(directory.resolve("outcome"));
        assertThat(seen).contains("PATH=", "EXTRA=visible", "unseen");
        if (Containment.best().name().endsWith("AND_PROC")) {
            assertThat(seen).doesNotContain("canary-4711");
        }
    }

    @Test
    void without_namespaces_children_and_their_group_still_die() throws Exception {
        assumeTrue(Containment.best().hasSession(), "this machine has no setsid");
        for (var containment : List.of(Containment.SESSION, Containment.SESSION_AND_DEATH_SIGNAL)) {
            var name = word + containment;
            var command = "sh -c 'sleep 1000; : " + name + "' & (sh -c 'trap \"\" TERM; sleep 1001; : " + name + "' &);"
                    + " touch " + containment + "; wait";
            var child = ChildProcess.start(
                    List.of("/bin/sh", "-c", command),
                    directory,
                    environment(),
                    ChildProcess.Outputs.MERGED,
                    containment);
            Processes.await("it runs", () -> Files.exists(directory.resolve(containment.name())));

            child.close();

            assertThat(child.isAlive()).isFalse();
            Processes.await("its group is gone", () -> Processes.with(name) == 0);
        }
    }

    @Test
    void with_nothing_to_contain_them_children_still_die() throws Exception {
        var child = ChildProcess.start(
                List.of("/bin/sh", "-c", "sh -c 'trap \"\" TERM; sleep 1000; : " + word + "' & touch ready; wait"),
                directory,
                environment(),
                ChildProcess.Outputs.MERGED,
                Containment.NONE);
        Processes.await("it runs", () -> Processes.with("sleep 1000; : " + word) == 2);

        child.close();

        Processes.await("all are gone", () -> Processes.with(word) == 0);
    }

    @Test
    void a_program_can_be_talked_to() throws Exception {
        try (var child =
                ChildProcess.start(List.of("/bin/cat"), directory, environment(), ChildProcess.Outputs.APART)) {
            child.input().write("hello\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            child.input().flush();

            assertThat(child.output().readNBytes(6)).asString().isEqualTo("hello\n");

            child.input().close();
            assertThat(child.ended().get(60, TimeUnit.SECONDS)).isZero();
        }
    }

    @Test
    void many_at_once_do_not_disturb_each_other() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = java.util.stream.IntStream.range(0, 20)
                    .mapToObj(i -> threads.submit(() -> words("command", "sleep 0.2; echo " + i)))
                    .toList();
            for (int i = 0; i < 20; i++) {
                assertThat(running.get(i).get()).isEqualTo(i + "\n[exit code 0]");
            }
        }
    }

    @Test
    void it_says_truly_what_it_does() throws Exception {
        assertThat(shell.spec().effect()).isEqualTo(ToolSpec.Effect.ACTS);
        assertThat(shell.spec().repeat()).isEqualTo(ToolSpec.Repeat.UNSAFE);
        assertThat(words("command", "true", "timeout_seconds", 601)).contains("a whole number from 1 to 600");
    }

    private String tree() {
        return TREE.replace("WORD", word);
    }

    private void awaitTree() throws InterruptedException {
        Processes.await("the tree stands", () -> Files.exists(directory.resolve("ready")) && Processes.with(word) > 4);
    }

    private Process child(String command) throws IOException {
        var builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx128m",
                        "-cp",
                        Processes.classPath(),
                        RunsShell.class.getName(),
                        directory.toString(),
                        command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("SECRET_CANARY", "canary-4711");
        builder.environment().put("EXTRA", "visible");
        return builder.start();
    }

    private static void needsNamespace() {
        assumeTrue(
                Containment.best().isNamespace(), "this machine has no process namespaces, or no setpriv or unshare");
    }
}

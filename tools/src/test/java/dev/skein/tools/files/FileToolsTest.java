package dev.skein.tools.files;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.tool.Tool;
import dev.skein.tools.call.Calls;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileToolsTest {

    @TempDir
    Path root;

    private List<Tool> tools;

    @BeforeEach
    void build() throws IOException {
        tools = FileTools.in(Workspace.at(root));
    }

    @Test
    void reading_gives_numbered_lines_from_where_it_is_told() throws IOException, InterruptedException {
        Files.writeString(root.resolve("poem"), "one\r\ntwo\nthree\nfour");

        assertThat(Calls.words(tools, "read", "path", "poem")).isEqualTo("1\tone\n2\ttwo\n3\tthree\n4\tfour\n");
        assertThat(Calls.words(tools, "read", "path", "poem", "offset", 2, "limit", 2))
                .isEqualTo("2\ttwo\n3\tthree\n[cut: there is more; go on with offset 4]");
        assertThat(Calls.words(tools, "read", "path", "poem", "offset", 9)).isEqualTo("[the file has only 4 lines]");
    }

    @Test
    void a_long_file_and_a_long_line_are_cut_and_say_so() throws IOException, InterruptedException {
        var lines = IntStream.rangeClosed(1, 5000).mapToObj(i -> "line " + i).collect(Collectors.joining("\n"));
        Files.writeString(root.resolve("long"), lines);
        Files.writeString(root.resolve("wide"), "x".repeat(5_000_000));

        assertThat(Calls.words(tools, "read", "path", "long")).endsWith("go on with offset 2001]");
        assertThat(Calls.words(tools, "read", "path", "wide"))
                .hasSizeLessThan(2100)
                .endsWith("[this line is longer]\n");
    }

    @Test
    void what_is_no_text_is_refused() throws IOException, InterruptedException {
        Files.write(root.resolve("binary"), new byte[] {1, 0, 2});
        Files.writeString(root.resolve("latin"), "caf\u00e9", ISO_8859_1);
        Files.createDirectory(root.resolve("dir"));

        assertThat(Calls.words(tools, "read", "path", "binary")).isEqualTo("failed: 'binary' is not a text file");
        assertThat(Calls.words(tools, "read", "path", "latin")).isEqualTo("1\tcaf\ufffd\n");
        assertThat(Calls.words(tools, "edit", "path", "latin", "old", "caf", "new", "x"))
                .contains("not a text in UTF-8");
        assertThat(Calls.words(tools, "read", "path", "dir")).contains("is not a file but a directory");
        assertThat(Calls.words(tools, "read", "path", "gone")).contains("'gone' is not there");
    }

    @Test
    void a_pipe_does_not_stop_a_reader_for_ever() throws Exception {
        var made = new ProcessBuilder("mkfifo", root.resolve("pipe").toString())
                .start()
                .waitFor();

        assertThat(made).isZero();
        assertThat(Calls.words(tools, "read", "path", "pipe")).contains("is not a file but a device, pipe or socket");
        assertThat(Calls.words(tools, "write", "path", "pipe", "content", "x")).contains("is not a file");
    }

    @Test
    void a_huge_file_is_read_in_little_memory() throws IOException, InterruptedException {
        try (var file = new RandomAccessFile(root.resolve("huge").toFile(), "rw")) {
            file.writeBytes("first\n" + "y".repeat(10_000) + "\n");
            file.setLength(20L * 1024 * 1024 * 1024);
        }

        assertThat(Calls.words(tools, "read", "path", "huge", "limit", 1))
                .isEqualTo("1\tfirst\n[cut: there is more; go on with offset 2]");
        assertThat(Calls.words(tools, "edit", "path", "huge", "old", "a", "new", "b"))
                .contains("more than 10000000 bytes");
    }

    @Test
    void writing_makes_directories_and_leaves_no_draft() throws IOException, InterruptedException {
        assertThat(Calls.words(tools, "write", "path", "a/b/c.txt", "content", "hello"))
                .isEqualTo("made 'a/b/c.txt'");
        assertThat(Calls.words(tools, "write", "path", "a/b/c.txt", "content", "h\u00e9"))
                .isEqualTo("replaced 'a/b/c.txt'");

        assertThat(root.resolve("a/b/c.txt")).hasContent("h\u00e9");
        try (var files = Files.list(root.resolve("a/b"))) {
            assertThat(files).containsExactly(root.resolve("a/b/c.txt"));
        }
    }

    @Test
    void a_replaced_file_keeps_its_mode() throws IOException, InterruptedException {
        var script = Files.writeString(root.resolve("run.sh"), "old");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-x--x"));

        Calls.run(tools, "write", "path", "run.sh", "content", "new");

        assertThat(script).hasContent("new");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(script)))
                .isEqualTo("rwxr-x--x");
    }

    @Test
    void an_edit_replaces_exactly_what_it_names() throws IOException, InterruptedException {
        var file = Files.writeString(root.resolve("f"), "a b a c");

        assertThat(Calls.words(tools, "edit", "path", "f", "old", "b", "new", "$1\\"))
                .isEqualTo("replaced 1 match in 'f'");
        assertThat(file).hasContent("a $1\\ a c");
        assertThat(Calls.words(tools, "edit", "path", "f", "old", "a", "new", "x"))
                .contains("occurs 2 times");
        assertThat(Calls.words(tools, "edit", "path", "f", "old", "zz", "new", "x"))
                .contains("does not occur");
        assertThat(Calls.words(tools, "edit", "path", "f", "old", "", "new", "x"))
                .contains("use write");
        assertThat(Calls.words(tools, "edit", "path", "f", "old", "a", "new", "x", "all", true))
                .isEqualTo("replaced 2 matches in 'f'");
        assertThat(file).hasContent("x $1\\ x c");
    }

    @Test
    void of_many_edits_of_one_file_at_once_none_is_lost() throws Exception {
        var words = IntStream.range(0, 60).mapToObj(i -> "<" + i + ">").toList();
        Files.createDirectory(root.resolve("sub"));
        var file = Files.writeString(root.resolve("sub/f"), String.join("\n", words));
        var others = FileTools.in(Workspace.at(root.resolve("sub")));

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var edits = words.stream()
                    .map(word -> threads.submit(() -> word.length() % 2 == 0
                            ? Calls.words(tools, "edit", "path", "./sub/f", "old", word, "new", "done" + word)
                            : Calls.words(others, "edit", "path", "f", "old", word, "new", "done" + word)))
                    .toList();
            for (var edit : edits) {
                assertThat(edit.get()).startsWith("replaced 1 match");
            }
        }

        assertThat(Files.readString(file).lines())
                .containsExactlyElementsOf(
                        words.stream().map(word -> "done" + word).toList());
    }

    @Test
    void a_call_that_waits_for_its_turn_with_a_file_can_be_stopped() throws Exception {
        var file = Files.writeString(root.resolve("f"), "a");
        var turn = new CountDownLatch(1);
        var end = new CountDownLatch(1);
        var stopped = new CompletableFuture<Throwable>();

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var holder = threads.submit(() -> FileTurns.take(file.toRealPath(), () -> {
                turn.countDown();
                return end.await(120, TimeUnit.SECONDS) ? "held" : "nobody ended it";
            }));
            turn.await();
            var waiting = Thread.ofVirtual().start(() -> {
                try {
                    Calls.run(tools, "edit", "path", "f", "old", "a", "new", "b");
                    stopped.complete(new AssertionError("it did not wait"));
                } catch (InterruptedException e) {
                    stopped.complete(e);
                }
            });
            while (waiting.getState() != Thread.State.WAITING) {
                assertThat(stopped).isNotDone();
                Thread.onSpinWait();
            }
            waiting.interrupt();

            assertThat(stopped.get(60, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
            assertThat(file).hasContent("a");
            assertThat(FileTurns.isWanted(file.toRealPath())).isTrue();
            end.countDown();
            assertThat(holder.get()).isEqualTo("held");
        }
        assertThat(Calls.words(tools, "write", "path", "f", "content", "c")).isEqualTo("replaced 'f'");
        assertThat(FileTurns.isWanted(file.toRealPath())).isFalse();
    }

    @Test
    void a_listing_is_sorted_and_bounded_and_tells_kinds() throws IOException, InterruptedException {
        Files.writeString(root.resolve("b.txt"), "12345");
        Files.createDirectory(root.resolve("a"));
        Files.createSymbolicLink(root.resolve("c"), Path.of("/etc"));
        var many = Files.createDirectory(root.resolve("a/many"));
        for (int i = 0; i < 1005; i++) {
            Files.createFile(many.resolve("f" + i));
        }

        assertThat(Calls.words(tools, "list")).isEqualTo("directory\t-\ta\nfile\t5 bytes\tb.txt\nlink\t-\tc\n");
        assertThat(Calls.words(tools, "list", "path", "a/many")).endsWith("[cut: there are more than 1000; use glob]");
        assertThat(Calls.words(tools, "list", "path", "b.txt")).contains("is not a directory but a file");
    }

    @Test
    void arguments_of_the_wrong_kind_are_explained() throws InterruptedException {
        assertThat(Calls.words(tools, "read")).contains("the argument 'path' is missing");
        assertThat(Calls.words(tools, "read", "path", 7)).contains("is not a text but number");
        assertThat(Calls.words(tools, "read", "path", "x", "offset", 0)).contains("a whole number from 1 to");
        assertThat(Calls.words(tools, "edit", "path", "x", "old", "a", "new", "b", "all", "yes"))
                .startsWith("failed: ");
    }

    @Test
    void they_say_truly_what_they_do() {
        assertThat(tools)
                .extracting(tool -> tool.spec().name() + " " + tool.spec().effect() + " "
                        + tool.spec().repeat())
                .containsExactly("read READS SAFE", "write ACTS SAFE", "edit ACTS UNSAFE", "list READS SAFE");
        assertThat(tools)
                .allMatch(
                        tool -> tool.spec().parameters().path("type").asString().equals("object"));
    }
}

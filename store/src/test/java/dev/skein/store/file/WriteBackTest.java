package dev.skein.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skein.failure.StorageFailed;
import dev.skein.session.Scope;
import dev.skein.session.SessionEvent.SessionDescribed;
import dev.skein.session.SessionId;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A disk that takes every write and then cannot keep it: a file system in a sparse file on a disk that is too
/// small for it. Writes succeed, the sync behind them fails, and what was written can be read until it is gone.
class WriteBackTest {

    private static final Scope SCOPE = Scope.LOCAL;
    private static final int BALLAST = 24 * 1024 * 1024;
    private static final long IMAGE = 64L * 1024 * 1024;
    private static final int TEXT = 200_000;

    private final Path place = TemporaryHome.make();
    private final Path small = place.resolve("small");
    private final Path image = small.resolve("image");
    private final Path disk = place.resolve("disk");
    private final Path home = disk.resolve("home");
    private final List<Path> mounted = new ArrayList<>();

    @AfterEach
    void unmount() throws Exception {
        for (var each : mounted.reversed()) {
            assertThat(run("umount", "--lazy", each.toString())).isZero();
        }
    }

    @Test
    void what_the_disk_could_not_keep_was_not_acknowledged() throws Exception {
        mountDisk();
        var ballast = Files.write(small.resolve("ballast"), new byte[BALLAST]);
        var kept = new ArrayList<String>();
        var others = new ArrayList<String>();
        SessionId id;
        SessionId other;
        try (var store = FileSessionStore.open(home);
                var handle = store.create(NewSession.in(SCOPE));
                var second = store.create(NewSession.in(SCOPE))) {
            id = handle.id();
            other = second.id();
            append(second, "before", others);

            var failures = 0;
            for (int i = 0; failures < 3; i++) {
                failures += tries(handle, i + ":" + "x".repeat(TEXT), kept) ? 0 : 1;
            }
            assertThat(store.list(ListQuery.of(SCOPE)).sessions()).hasSize(2);
            assertThat(textsOf(second)).isEqualTo(others);

            Files.delete(ballast);
            append(handle, "after", kept);
            append(second, "after", others);
            assertKept(handle, kept);
        }

        assertThat(run("umount", disk.toString())).isZero();
        assertThat(run("mount", "-o", "loop", image.toString(), disk.toString()))
                .isZero();
        try (var store = FileSessionStore.open(home);
                var handle = store.open(SCOPE, id);
                var second = store.open(SCOPE, other)) {
            assertKept(handle, kept);
            assertThat(textsOf(second)).isEqualTo(others);
        }
        assertThat(kept).hasSizeGreaterThan(10);
    }

    /// All that was acknowledged is there, in order. What was not may be: nobody was told.
    private static void assertKept(SessionHandle handle, List<String> kept) {
        var read = new ArrayList<>(textsOf(handle));

        assertThat(read).doesNotHaveDuplicates().endsWith("after");
        read.retainAll(kept);
        assertThat(read).isEqualTo(kept);
    }

    /// A file system without a journal of its own, which would turn it read-only at the first failure.
    private void mountDisk() throws Exception {
        Files.createDirectories(small);
        Files.createDirectories(disk);
        mount(small, "-t", "tmpfs", "-o", "size=32m,mode=700", "none");
        try (var file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(IMAGE);
        }
        assumeTrue(run("mkfs.ext4", "-q", "-F", "-O", "^has_journal", image.toString()) == 0, "there is no mkfs.ext4");
        mount(disk, "-o", "loop", image.toString());
        Files.createDirectory(home, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    private void mount(Path where, String... what) throws Exception {
        var command = new ArrayList<>(List.of("mount"));
        command.addAll(List.of(what));
        command.add(where.toString());
        assumeTrue(run(command.toArray(String[]::new)) == 0, "mounting is not permitted here");
        mounted.add(where);
    }

    private static int run(String... command) throws Exception {
        try {
            var process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return process.exitValue();
        } catch (IOException _) {
            return 127; // there is no such program
        }
    }

    /// Appends, and returns whether that was acknowledged.
    private static boolean tries(SessionHandle handle, String text, List<String> kept) {
        try {
            append(handle, text, kept);
            return true;
        } catch (StorageFailed e) {
            assertThat(e.code()).isIn("store.full", "store.io");
            return false;
        }
    }

    private static void append(SessionHandle handle, String text, List<String> kept) {
        handle.append(List.of(new SessionDescribed(Instant.EPOCH, text)));
        kept.add(label(text));
    }

    private static List<String> textsOf(SessionHandle handle) {
        return handle.read(2).stream()
                .map(entry -> entry.event() instanceof SessionDescribed(var _, var text) ? label(text) : "?")
                .toList();
    }

    /// What tells it from others, in few letters.
    private static String label(String text) {
        return text.split(":", 2)[0];
    }
}

package dev.skein.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skein.failure.SkeinException;
import dev.skein.failure.StorageFailed;
import dev.skein.session.Entry;
import dev.skein.session.Scope;
import dev.skein.session.SessionEvent.SessionDescribed;
import dev.skein.session.SessionId;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.testkit.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A disk that is really full, a directory that is really read-only, a sync that the kernel really refuses.
class RealFaultsTest {

    private static final Scope SCOPE = Scope.LOCAL;

    private final Path place = TemporaryHome.make();
    private final Path home = place.resolve("disk");
    private boolean mounted;

    @AfterEach
    void unmount() throws Exception {
        if (mounted) {
            assertThat(run("umount", "--lazy", home.toString())).isZero();
        }
    }

    @Test
    void a_full_disk_refuses_loses_nothing_and_goes_on_when_there_is_space() throws Exception {
        mount("size=1m");
        var ballast = Files.write(home.resolve("ballast"), new byte[256 * 1024]);
        try (var store = FileSessionStore.open(home);
                var handle = store.create(NewSession.in(SCOPE).named("filling"));
                var other = store.create(NewSession.in(SCOPE).named("other"))) {
            var acknowledged = new ArrayList<String>();

            for (int attempt = 0; attempt < 3; attempt++) {
                assertThat(fill(handle, acknowledged)).isEqualTo("store.full");
            }
            assertThat(textsOf(handle)).containsExactlyElementsOf(acknowledged);
            assertThat(other.read(1)).hasSize(1);
            assertThat(store.list(ListQuery.of(SCOPE)).sessions()).hasSize(2);
            assertThat(failureOf(() -> store.create(NewSession.in(SCOPE).named("third"))))
                    .isEqualTo("store.full");
            assertThat(store.resolve(SCOPE, new dev.skein.session.SessionAlias("third")))
                    .isEmpty();

            Files.delete(ballast);
            append(handle, "after", acknowledged);
            append(other, "after", new ArrayList<>());
            store.create(NewSession.in(SCOPE).named("third"));

            assertThat(textsOf(handle)).containsExactlyElementsOf(acknowledged);
            assertThat(gapsIn(handle.id())).as("glued or broken records").isZero();
        }
        try (var store = FileSessionStore.open(home)) {
            assertThat(store.list(ListQuery.of(SCOPE)).problems()).isEmpty();
            assertThat(store.list(ListQuery.of(SCOPE)).sessions()).hasSize(3);
        }
    }

    @Test
    void a_disk_without_room_for_names_refuses_new_sessions_and_keeps_the_old() throws Exception {
        mount("size=4m,nr_inodes=24");
        try (var store = FileSessionStore.open(home)) {
            var made = new ArrayList<SessionId>();
            var code = "none";
            while (code.equals("none")) {
                code = failureOf(() -> {
                    try (var handle = store.create(NewSession.in(SCOPE))) {
                        made.add(handle.id());
                    }
                });
            }

            assertThat(code).isEqualTo("store.full");
            assertThat(made).isNotEmpty();
            for (var id : made) {
                try (var handle = store.open(SCOPE, id)) {
                    append(handle, "still", new ArrayList<>());
                }
            }
            assertThat(store.list(ListQuery.of(SCOPE)).problems()).isEmpty();
            store.delete(SCOPE, made.removeFirst());
            store.create(NewSession.in(SCOPE));
        }
    }

    @Test
    void a_read_only_directory_can_be_read_and_refuses_writes() throws Exception {
        mount("size=4m");
        SessionId id;
        try (var store = FileSessionStore.open(home);
                var handle = store.create(NewSession.in(SCOPE).named("kept"))) {
            append(handle, "one", new ArrayList<>());
            id = handle.id();
        }
        assumeTrue(run("mount", "-o", "remount,ro", home.toString()) == 0, "remounting read-only is not permitted");

        try (var store = FileSessionStore.open(home);
                var handle = store.open(SCOPE, id)) {
            assertThat(textsOf(handle)).containsExactly("one");
            assertThat(store.list(ListQuery.of(SCOPE)).sessions()).hasSize(1);
            assertThat(failureOf(() -> append(handle, "two", new ArrayList<>())))
                    .isEqualTo("store.denied");
            assertThat(failureOf(() -> store.create(NewSession.in(SCOPE)))).isEqualTo("store.denied");
            assertThat(failureOf(() -> store.delete(SCOPE, id))).isEqualTo("store.denied");

            assertThat(run("mount", "-o", "remount,rw", home.toString())).isZero();
            append(handle, "two", new ArrayList<>());
            assertThat(textsOf(handle)).containsExactly("one", "two");
        }
    }

    @Test
    void a_file_that_may_not_be_changed_is_a_refusal() throws Exception {
        Files.createDirectory(home, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try (var store = FileSessionStore.open(home);
                var handle = store.create(NewSession.in(SCOPE))) {
            var journal = Layout.journal(Layout.of(home, SCOPE).session(handle.id()));
            assumeTrue(run("chattr", "+i", journal.toString()) == 0, "chattr is not permitted here");
            try {
                assertThat(failureOf(() -> append(handle, "one", new ArrayList<>())))
                        .isEqualTo("store.denied");
            } finally {
                assertThat(run("chattr", "-i", journal.toString())).isZero();
            }
            append(handle, "two", new ArrayList<>());
            assertThat(textsOf(handle)).containsExactly("two");
        }
    }

    /// The kernel is made to fail the first syncs of each thread of a child; it must say so, never exit, and lose
    /// nothing that it acknowledged.
    @Test
    void a_sync_that_the_kernel_fails_is_never_acknowledged() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/strace")), "strace is not installed");
        SessionId id;
        try (var store = FileSessionStore.open(home);
                var handle = store.create(NewSession.in(SCOPE))) {
            id = handle.id();
        }
        var strace = List.of(
                "strace",
                "-f",
                "-qq",
                "-o",
                "/dev/null",
                "-e",
                "trace=fdatasync",
                "-e",
                "inject=fdatasync:error=EIO:when=2+3");

        List<String> said;
        try (var child = ChildJvm.start(ChildProgram.class, strace, Map.of(), "append", home, id, 60)) {
            said = child.rest();
            assertThat(child.await()).isZero();
        }

        assertThat(said).contains("failed store.io").anyMatch(line -> line.matches("failures [1-9][0-9]*"));
        try (var store = FileSessionStore.open(home);
                var handle = store.open(SCOPE, id)) {
            var stored = handle.read(2).stream()
                    .map(entry -> entry.seq() + " " + textOf(entry))
                    .toList();
            assertThat(stored).hasSize(60).doesNotHaveDuplicates();
            assertThat(said).containsAll(stored);
        }
    }

    private void mount(String options) throws Exception {
        Files.createDirectory(home, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        var code = run("mount", "-t", "tmpfs", "-o", options + ",mode=700", "none", home.toString());
        assumeTrue(code == 0, "mounting is not permitted here");
        mounted = true;
    }

    private static int run(String... command) throws Exception {
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    /// Appends until it fails, and says with what.
    private static String fill(SessionHandle handle, List<String> acknowledged) {
        var code = "none";
        for (int i = 0; code.equals("none"); i++) {
            var text = "x".repeat(9_000) + acknowledged.size() + "-" + i;
            code = failureOf(() -> append(handle, text, acknowledged));
        }
        return code;
    }

    private static void append(SessionHandle handle, String text, List<String> acknowledged) {
        handle.append(List.of(new SessionDescribed(Clock.systemUTC().instant(), text)));
        acknowledged.add(text);
    }

    private static String failureOf(Runnable action) {
        try {
            action.run();
            return "none";
        } catch (StorageFailed e) {
            return e.code();
        } catch (SkeinException e) {
            throw new AssertionError(e);
        }
    }

    private int gapsIn(SessionId id) throws Exception {
        try (var file =
                new RealDisk().open(Layout.journal(Layout.of(home, SCOPE).session(id)), Disk.Access.READ)) {
            return new Journal(file).scan(Journal.anywhere(0), (_, _) -> true).gaps();
        }
    }

    private static List<String> textsOf(SessionHandle handle) {
        return handle.read(2).stream().map(RealFaultsTest::textOf).toList();
    }

    private static String textOf(Entry entry) {
        return entry.event() instanceof SessionDescribed(var _, var text) ? text : "?";
    }
}

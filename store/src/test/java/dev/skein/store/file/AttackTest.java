package dev.skein.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.AliasInUse;
import dev.skein.failure.InvalidAlias;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.SkeinException;
import dev.skein.failure.StorageFailed;
import dev.skein.session.Origin;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.PurgeQuery;
import dev.skein.testkit.ChildJvm;
import dev.skein.testkit.Events;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Hostile names, links and modes: nothing leaves the tree, and nobody else gets in.
class AttackTest {

    private static final Scope SCOPE = Scope.LOCAL;
    private static final Pattern SAFE_NAME = Pattern.compile("[A-Za-z0-9_.%~-]{1,200}");

    private final Path above = TemporaryHome.inMemory();
    private final Path home = above.resolve("home");
    private final Path outside = above.resolve("outside");
    private final Events events = new Events(Clock.systemUTC(), 1);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "..",
                ".",
                "a/b",
                "../../etc",
                "a\\b",
                "a\0b",
                "a\nb",
                "abc\n",
                "CON",
                "con",
                "nul.txt",
                "COM1",
                "a.",
                "a ",
                " a",
                ".a",
                "index",
                "Metadata",
                "last_session",
                "temp",
                "\u202Eabc",
                "",
                "\u2028",
                "0198c0de-0000-7000-8000-000000000001"
            })
    void a_name_that_could_mean_something_else_is_refused(String name) {
        assertThatThrownBy(() -> new SessionAlias(name)).isInstanceOf(InvalidAlias.class);
    }

    @Test
    void a_name_of_300_characters_is_refused() {
        assertThatThrownBy(() -> new SessionAlias("x".repeat(300))).isInstanceOf(InvalidAlias.class);
    }

    @Test
    void odd_names_stay_below_the_home_under_plain_file_names() throws Exception {
        var names = List.of(
                "%2e%2e",
                "\u2024\u2024",
                "a\u2024\u2024b",
                "ｆｕｌｌ",
                "😀".repeat(64),
                "x".repeat(64),
                "a%2fb",
                "~",
                "-rf",
                "$HOME",
                "a:b",
                "*?<>|\"",
                "é",
                "ı",
                "ß");
        try (var store = FileSessionStore.open(home)) {
            for (var name : names) {
                store.create(NewSession.in(SCOPE).named(name));
                assertThat(store.resolve(SCOPE, new SessionAlias(name))).isPresent();
            }
            for (var owner : List.of("..", "../..", "a/b", "CON", "😀".repeat(50), "local ", "%2e%2e", ".")) {
                store.create(NewSession.in(Scope.ofOwner(owner)).named("x"));
                store.create(NewSession.in(SCOPE.withAgent(owner)).named("x"));
                assertThat(store.list(ListQuery.of(Scope.ofOwner(owner))).sessions())
                        .hasSize(1);
                assertThat(store.list(ListQuery.of(SCOPE.withAgent(owner))).sessions())
                        .hasSize(1);
            }
            assertThat(store.list(ListQuery.of(SCOPE)).sessions()).hasSize(names.size());
        }
        for (var path : everything(home)) {
            assertThat(String.valueOf(path.getFileName())).matches(SAFE_NAME);
        }
        assertThat(everything(above)).allMatch(path -> path.startsWith(home));
    }

    @Test
    void names_that_a_disk_may_confuse_collide_on_purpose() {
        try (var store = FileSessionStore.open(home)) {
            store.create(NewSession.in(SCOPE).named("Session"));
            store.create(NewSession.in(SCOPE).named("caf\u00e9"));

            assertThatThrownBy(() -> store.create(NewSession.in(SCOPE).named("sESSION")))
                    .isInstanceOf(AliasInUse.class);
            assertThatThrownBy(() -> store.create(NewSession.in(SCOPE).named("cafe\u0301")))
                    .isInstanceOf(AliasInUse.class);
            assertThatThrownBy(() -> store.create(NewSession.in(SCOPE).named("CAF\u00c9")))
                    .isInstanceOf(AliasInUse.class);
        }
    }

    @Test
    void a_directory_that_no_scope_would_have_hurts_nobody() throws Exception {
        var ids = workout();
        for (var name : List.of("%0A", "%00", "%20", "%zz", "x".repeat(200), "a b", "caf\u00e9")) {
            Files.createDirectories(home.resolve("agents").resolve(name).resolve("sessions"));
            Files.createDirectories(home.resolve("owners").resolve(name).resolve("sessions"));
        }

        try (var store = FileSessionStore.open(home)) {
            assertThat(store.list(ListQuery.ofOwner(SCOPE.owner())).sessions())
                    .extracting(summary -> summary.id())
                    .containsAll(ids);
            store.applyRetention();
        }
    }

    @Test
    void an_owner_or_agent_without_a_sensible_name_is_refused() {
        assertThatThrownBy(() -> new Scope("a\0b", null)).isInstanceOf(InvalidRequest.class);
        assertThatThrownBy(() -> new Scope("a\n", null)).isInstanceOf(InvalidRequest.class);
        assertThatThrownBy(() -> new Scope("x".repeat(300), null)).isInstanceOf(InvalidRequest.class);
        assertThatThrownBy(() -> new Scope("a", " ")).isInstanceOf(InvalidRequest.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sessions",
                "sessions/by-id",
                "sessions/by-name",
                "sessions/trash",
                "sessions/migrated",
                "agents",
                "agents/coder",
                "agents/coder/sessions",
                "owners",
                "owners/eve"
            })
    void nothing_is_written_through_a_directory_that_was_swapped_for_a_link(String swapped) throws Exception {
        var ids = workout();
        Files.move(home.resolve(swapped), outside);
        Files.createSymbolicLink(home.resolve(swapped), outside);
        var before = Damage.fingerprint(outside);

        useAll(ids);

        assertThat(Damage.fingerprint(outside)).isEqualTo(before);
    }

    @Test
    void nothing_is_written_through_a_session_directory_that_was_swapped_for_a_link() throws Exception {
        var ids = workout();
        var directory = Layout.of(home, SCOPE).session(ids.getFirst());
        Files.move(directory, outside);
        Files.createSymbolicLink(directory, outside);
        var before = Damage.fingerprint(outside);

        useAll(ids);

        assertThat(Damage.fingerprint(outside)).isEqualTo(before);
        try (var store = FileSessionStore.open(home)) {
            assertThat(store.list(ListQuery.of(SCOPE)).problems())
                    .anyMatch(problem -> problem.contains("not a directory"));
        }
    }

    @Test
    void nothing_is_written_through_a_session_directory_that_is_swapped_while_it_is_open() throws Exception {
        var id = workout().getFirst();
        try (var store = FileSessionStore.open(home);
                var handle = store.open(SCOPE, id)) {
            handle.append(events.exchange(null, "before", "ok"));
            var directory = Layout.of(home, SCOPE).session(id);
            Files.move(directory, outside);
            Files.createSymbolicLink(directory, outside);
            var before = Damage.fingerprint(outside);

            assertThatThrownBy(() -> handle.append(events.exchange(null, "after", "no")))
                    .isInstanceOf(SkeinException.class);

            assertThat(Damage.fingerprint(outside)).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"journal.jsonl", "lock", "state.yaml"})
    void nothing_is_written_through_a_link_in_place_of_a_file(String name) throws Exception {
        var ids = workout();
        var file = Layout.of(home, SCOPE).session(ids.getFirst()).resolve(name);
        Files.createDirectory(outside);
        Files.move(file, outside.resolve("stolen"));
        Files.createSymbolicLink(file, outside.resolve("stolen"));
        var before = Damage.fingerprint(outside);

        useAll(ids);

        assertThat(Damage.fingerprint(outside)).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"journal.jsonl", "lock"})
    void a_file_with_a_second_name_is_refused(String name) throws Exception {
        var ids = workout();
        Files.createDirectory(outside);
        Files.createLink(
                outside.resolve("hard"),
                Layout.of(home, SCOPE).session(ids.getFirst()).resolve(name));
        var before = Damage.fingerprint(outside);

        try (var store = FileSessionStore.open(home);
                var handle = store.open(SCOPE, ids.getFirst())) {
            assertThatThrownBy(() -> handle.append(events.exchange(null, "a", "b")))
                    .isInstanceOf(StorageFailed.class)
                    .hasMessageContaining("hard link");
        }
        assertThat(Damage.fingerprint(outside)).isEqualTo(before);
    }

    /// Two sessions whose locks are one file would drop each other's lock without a word.
    @Test
    void a_lock_shared_by_two_sessions_is_refused() throws Exception {
        var ids = workout();
        var layout = Layout.of(home, SCOPE);
        Files.delete(Layout.lock(layout.session(ids.get(0))));
        Files.createLink(Layout.lock(layout.session(ids.get(0))), Layout.lock(layout.session(ids.get(1))));

        try (var store = FileSessionStore.open(home);
                var handle = store.open(SCOPE, ids.get(0))) {
            assertThatThrownBy(() -> handle.append(events.exchange(null, "a", "b")))
                    .isInstanceOf(StorageFailed.class);
        }
    }

    @Test
    void an_imported_session_does_not_take_a_file_of_the_same_name_with_it() throws Exception {
        var sessions = Files.createDirectories(home.resolve("sessions"));
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx------"));
        var file = Files.writeString(sessions.resolve("mine.yaml"), "model: m:x\nmessages: []\n");
        try (var store = FileSessionStore.open(home)) {
            var origins = List.of("mine.yaml", "../sessions/mine.yaml", "\0", "", file.toString(), "x\0.yaml");
            for (var source : origins) {
                var made = store.create(NewSession.in(SCOPE).from(new Origin("loki", source, null)));
                store.delete(SCOPE, made.id());
            }
        }
        assertThat(file).exists();
    }

    @Test
    void everything_belongs_to_its_owner_only() throws Exception {
        workout();

        requireOwnerOnly();
    }

    /// The mask of this process is what it is; a child can have none.
    @Test
    void everything_belongs_to_its_owner_only_without_a_mask() throws Exception {
        var child = ChildJvm.start(
                ChildProgram.class,
                List.of("bash", "-c", "umask 000; exec \"$@\"", "-"),
                java.util.Map.of(),
                "race",
                home,
                "made");
        assertThat(child.line()).isEqualTo("ready");
        child.tell("go");
        child.line();
        assertThat(child.await()).isZero();

        assertThat(everything(home)).hasSizeGreaterThan(5);
        requireOwnerOnly();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwx---", "rwx---rwx", "rwx----w-", "rwx-w----"})
    void a_home_that_others_can_write_to_is_refused(String mode) throws Exception {
        Files.createDirectory(home);
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString(mode));

        assertThatThrownBy(() -> FileSessionStore.open(home))
                .isInstanceOf(StorageFailed.class)
                .extracting(failure -> ((StorageFailed) failure).code())
                .isEqualTo("store.unsafe");
    }

    private void requireOwnerOnly() throws Exception {
        for (var path : everything(home)) {
            var mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
            assertThat(mode).as(path.toString()).isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------");
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home)))
                .isEqualTo("rwx------");
    }

    /// Makes everything a store can make.
    private List<SessionId> workout() throws Exception {
        var ids = new ArrayList<SessionId>();
        try (var store = FileSessionStore.open(home)) {
            var gone = store.create(NewSession.in(SCOPE).named("purged"));
            store.purge(PurgeQuery.keeping(SCOPE, 0));
            gone.close();
            for (var name : List.of("one", "two")) {
                try (var handle = store.create(NewSession.in(SCOPE).named(name))) {
                    handle.append(events.exchange(null, "hello", "hi"));
                    ids.add(handle.id());
                }
            }
            store.fork(SCOPE, ids.getFirst(), 3, NewSession.in(SCOPE).named("fork"));
            store.create(NewSession.in(SCOPE.withAgent("coder")).named("agents"));
            store.create(NewSession.in(Scope.ofOwner("eve")).named("eves"));
            store.list(ListQuery.ofOwner(SCOPE.owner()));
            var legacy = home.resolve("sessions/legacy.yaml");
            Files.writeString(legacy, "model: m:x\nmessages: []\n");
            Files.setPosixFilePermissions(legacy, PosixFilePermissions.fromString("rw-------"));
            ids.add(store.resolve(SCOPE, new SessionAlias("legacy")).orElseThrow());
            TornTail.add(Layout.journal(Layout.of(home, SCOPE).session(ids.getFirst())));
            try (var handle = store.open(SCOPE, ids.getFirst())) {
                handle.append(events.exchange(null, "after a torn tail", "ok"));
            }
        }
        return ids;
    }

    /// Does everything; what fails must fail as Skein does.
    private void useAll(List<SessionId> ids) {
        try (var store = FileSessionStore.open(home)) {
            var steps = new ArrayList<Runnable>();
            for (var scope : List.of(SCOPE, SCOPE.withAgent("coder"), Scope.ofOwner("eve"))) {
                steps.add(() -> store.list(ListQuery.ofOwner(scope.owner())));
                steps.add(() -> store.create(NewSession.in(scope)));
                steps.add(() -> store.create(NewSession.in(scope).named("new")));
                steps.add(() -> store.openOrCreate(NewSession.in(scope).named("new")));
                steps.add(() -> store.migrateAll(scope.owner()));
                steps.add(() -> store.purge(PurgeQuery.keeping(scope, 3)));
            }
            for (var id : ids) {
                steps.add(() -> store.open(SCOPE, id).append(events.exchange(null, "a", "b")));
                steps.add(() -> store.rename(
                        SCOPE, id, new SessionAlias("renamed-" + id.toString().substring(30))));
                steps.add(() -> store.fork(SCOPE, id, 1, NewSession.in(SCOPE)));
                steps.add(() -> store.restore(SCOPE, id));
                steps.add(() -> store.delete(SCOPE, id));
            }
            steps.add(store::applyRetention);
            for (var step : steps) {
                try {
                    step.run();
                } catch (SkeinException _) {
                    // Refused, which is right.
                }
            }
        }
    }

    private static List<Path> everything(Path root) throws Exception {
        try (var walk = Files.walk(root)) {
            return walk.filter(path -> !path.equals(root) && !path.endsWith("home"))
                    .toList();
        }
    }
}

package dev.skein.store.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.store.Batch;
import dev.skein.store.NewSession;
import dev.skein.store.PurgeQuery;
import dev.skein.store.SessionHandle;
import dev.skein.testkit.Events;
import dev.skein.testkit.MutableClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// Before an operation returns, every byte it appended is synced, and so is the directory of every name it made or
/// took away.
class FsyncAuditTest {

    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private final MutableClock clock = new MutableClock(START);
    private final Events events = new Events(clock, 1);
    private final Path home = TemporaryHome.make();
    private final AuditedDisk disk = new AuditedDisk(new RealDisk());

    @Test
    void a_session_that_was_made_is_on_the_disk() {
        try (var store = open()) {
            store.create(NewSession.in(Scope.LOCAL)).close();
            assertAllSynced();
            store.create(NewSession.in(Scope.LOCAL).named("named")).close();
            assertAllSynced();
            store.openOrCreate(NewSession.in(Scope.LOCAL).named("other")).close();
            assertAllSynced();
        }
        assertAllSynced();
    }

    @Test
    void an_append_that_was_acknowledged_is_on_the_disk() {
        try (var store = open();
                var session = store.create(NewSession.in(Scope.LOCAL))) {
            for (int i = 0; i < 3; i++) {
                append(session);
            }
        }
        assertAllSynced();
    }

    @Test
    void an_append_after_a_torn_tail_is_on_the_disk() throws IOException {
        try (var store = open();
                var session = store.create(NewSession.in(Scope.LOCAL))) {
            append(session);
        }
        var journal = onlyJournal();
        Files.writeString(journal, Files.readString(journal) + "{\"seq\":");
        try (var store = open();
                var session = store.open(Scope.LOCAL, store.last(Scope.LOCAL).orElseThrow())) {
            append(session);
        }
        assertAllSynced();
    }

    @Test
    void a_fork_and_the_note_of_it_are_on_the_disk() {
        try (var store = open();
                var parent = store.create(NewSession.in(Scope.LOCAL))) {
            append(parent);
            var child = NewSession.in(Scope.LOCAL).named("child");
            store.fork(Scope.LOCAL, parent.id(), 2, child).close();
            assertAllSynced();
        }
    }

    @Test
    void a_new_name_is_on_the_disk_and_the_old_one_is_not() {
        try (var store = open();
                var session = store.create(NewSession.in(Scope.LOCAL).named("old"))) {
            store.rename(Scope.LOCAL, session.id(), new SessionAlias("new"));
            assertAllSynced();
            store.rename(Scope.LOCAL, session.id(), null);
            assertAllSynced();
        }
    }

    @Test
    void a_deletion_is_on_the_disk() {
        try (var store = open();
                var parent = store.create(NewSession.in(Scope.LOCAL).named("parent"));
                var child = store.fork(Scope.LOCAL, parent.id(), 1, NewSession.in(Scope.LOCAL))) {
            store.delete(Scope.LOCAL, parent.id());
            assertAllSynced();
            store.delete(Scope.LOCAL, child.id());
            assertAllSynced();
        }
    }

    @Test
    void a_purge_a_restore_and_the_emptying_of_the_trash_are_on_the_disk() {
        try (var store = open();
                var session = store.create(NewSession.in(Scope.LOCAL).named("old"))) {
            append(session);
            clock.advance(Duration.ofDays(40));
            var all = new PurgeQuery(Scope.LOCAL, null, Duration.ofDays(30), PurgeQuery.Which.EVERY);
            assertThat(store.purge(all)).hasSize(1);
            assertAllSynced();
            store.restore(Scope.LOCAL, session.id());
            assertAllSynced();
            clock.advance(Duration.ofDays(40));
            assertThat(store.purge(all)).hasSize(1);
            assertAllSynced();
            clock.advance(Duration.ofDays(40));
            store.emptyTrash(Scope.LOCAL);
            assertAllSynced();
        }
    }

    @Test
    void a_migration_is_on_the_disk() throws IOException {
        Files.createDirectories(home.resolve("sessions"));
        var legacy =
                "model: openai:gpt-4o\nmessages:\n- role: user\n  content: hello\n- role: assistant\n  content: hi\n";
        Files.writeString(home.resolve("sessions/elder.yaml"), legacy);
        try (var store = open()) {
            assertThat(store.migrateAll(Scope.LOCAL_OWNER).sessions()).hasSize(1);
            assertAllSynced();
            store.delete(
                    Scope.LOCAL,
                    store.resolve(Scope.LOCAL, new SessionAlias("elder")).orElseThrow());
            assertAllSynced();
        }
    }

    @Test
    void a_store_that_acknowledges_before_it_syncs_is_caught() {
        assertCaught(PlantedDefects::withoutSync);
    }

    @Test
    void a_store_that_does_not_sync_directories_is_caught() {
        assertCaught(PlantedDefects::withoutDirectorySync);
    }

    private void assertCaught(UnaryOperator<Disk> defect) {
        try (var store = FileSessionStore.open(
                        defect.apply(disk), home, StoreOptions.standard().withClock(clock));
                var session = store.create(NewSession.in(Scope.LOCAL).named("named"))) {
            try (var guard = session.lock(SessionHandle.WAIT_DEFAULT)) {
                guard.append(Batch.at(1, events.descriptions(1)));
            }
            assertThat(disk.unsynced).isNotEmpty();
        }
    }

    private FileSessionStore open() {
        return FileSessionStore.open(disk, home, StoreOptions.standard().withClock(clock));
    }

    private void append(SessionHandle session) {
        try (var guard = session.lock(SessionHandle.WAIT_DEFAULT)) {
            guard.append(Batch.at(guard.state().version(), events.descriptions(2)));
            assertAllSynced();
        }
    }

    private void assertAllSynced() {
        assertThat(disk.unsynced).isEmpty();
    }

    private Path onlyJournal() throws IOException {
        try (var files = Files.walk(home)) {
            return files.filter(file -> file.endsWith("journal.jsonl"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /// Knows which files and directories have changes that were not synced. Whoever is quick may see those of the
    /// housekeeper, so its rest of two seconds must not pass within a test.
    private static final class AuditedDisk extends ForwardingDisk {
        private final Set<String> unsynced = new LinkedHashSet<>();

        AuditedDisk(Disk disk) {
            super(disk);
        }

        private synchronized void changed(String what) {
            unsynced.add(what);
        }

        private synchronized void synced(String what) {
            unsynced.remove(what);
        }

        /// Nobody was told of a temporary name.
        private void named(Path path) {
            if (!path.getFileName().toString().startsWith(DurableNames.TEMPORARY)) {
                changed("names in " + path.getParent());
            }
        }

        /// What is gone needs no sync.
        private synchronized void gone(Path path) {
            unsynced.removeIf(what -> what.equals("bytes of " + path) || what.equals("names in " + path));
        }

        private synchronized void moved(Path from, Path to) {
            var moved = new LinkedHashSet<String>();
            unsynced.forEach(what -> moved.add(what.replace(from.toString(), to.toString())));
            unsynced.clear();
            unsynced.addAll(moved);
        }

        @Override
        public DiskFile open(Path path, Access access) throws IOException {
            var file = super.open(path, access);
            if (access == Access.CREATE) {
                named(path);
            }
            return new AuditedFile(file, "bytes of " + path);
        }

        @Override
        public void createDirectory(Path directory) throws IOException {
            super.createDirectory(directory);
            named(directory);
        }

        @Override
        public void move(Path from, Path to) throws IOException {
            super.move(from, to);
            moved(from, to);
            named(from);
            named(to);
        }

        @Override
        public void delete(Path path) throws IOException {
            super.delete(path);
            gone(path);
            named(path);
        }

        @Override
        public void syncDirectory(Path directory) throws IOException {
            super.syncDirectory(directory);
            synced("names in " + directory);
        }

        private final class AuditedFile extends ForwardingFile {
            private final String name;

            AuditedFile(DiskFile file, String name) {
                super(file);
                this.name = name;
            }

            @Override
            public void write(ByteBuffer bytes, long position) throws IOException {
                if (bytes.hasRemaining()) {
                    changed(name);
                }
                super.write(bytes, position);
            }

            @Override
            public void truncate(long size) throws IOException {
                changed(name);
                super.truncate(size);
            }

            @Override
            public void sync() throws IOException {
                super.sync();
                synced(name);
            }
        }
    }
}

package dev.skein.store.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.session.Scope;
import dev.skein.session.SessionEvent.SessionDescribed;
import dev.skein.session.SessionId;
import dev.skein.store.Appended;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.file.FaultyDisk.Call;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A server opens and closes a session with every request. What that costs, and what stays open meanwhile.
class OpenJournalTest {

    private static final Scope SCOPE = Scope.LOCAL;
    private static final int APPENDS = 30;

    private final Path home = TemporaryHome.inMemory();
    private final FaultyDisk disk = new FaultyDisk(new RealDisk(), home);
    private FileSessionStore store;
    private SessionId id;

    @BeforeEach
    void make() {
        store = FileSessionStore.open(disk, home, StoreOptions.standard());
        try (var session = store.create(NewSession.in(SCOPE))) {
            id = session.id();
        }
    }

    @AfterEach
    void close() {
        store.close();
        TemporaryHome.delete(home);
    }

    /// The cheapest counts: on a machine that stands still for seconds the session rests in between, and is opened
    /// anew.
    @Test
    void an_append_after_another_is_one_sync_though_nobody_holds_the_session() {
        append(store);
        var cheapest = Long.MAX_VALUE;
        for (int i = 0; i < APPENDS; i++) {
            var before = costs();
            append(store);
            cheapest = Math.min(cheapest, costs() - before);
        }

        assertThat(cheapest).as("files opened, synced and directories synced").isEqualTo(1);
    }

    @Test
    void what_another_store_appended_meanwhile_is_not_written_over() {
        try (var other = FileSessionStore.open(home)) {
            for (int i = 0; i < APPENDS; i++) {
                assertThat(append(store).first()).isEqualTo(2 + 2 * i);
                assertThat(append(other).first()).isEqualTo(3 + 2 * i);
            }
        }
    }

    @Test
    void a_journal_is_closed_when_its_session_rests() {
        append(store);

        var deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (disk.openFiles() > 0 && System.nanoTime() < deadline) {
            LockSupport.parkNanos(1_000_000);
        }

        assertThat(disk.openFiles()).isZero();
        assertThat(append(store).first()).isEqualTo(3);
    }

    @Test
    void the_journal_of_a_deleted_session_is_closed() {
        append(store);

        store.delete(SCOPE, id);

        assertThat(disk.openFiles()).isZero();
    }

    @Test
    void a_journal_that_nobody_wrote_to_is_closed_with_its_last_handle() {
        store.close();
        store = FileSessionStore.open(disk, home, StoreOptions.standard());
        try (var session = store.open(SCOPE, id);
                var guard = session.lock(SessionHandle.WAIT_DEFAULT)) {
            assertThat(guard.state().version()).isEqualTo(1);
        }

        assertThat(disk.openFiles()).isZero();
    }

    private long costs() {
        return disk.count(Call.OPEN) + disk.count(Call.SYNC) + disk.count(Call.SYNC_DIRECTORY);
    }

    private Appended append(FileSessionStore to) {
        try (var session = to.open(SCOPE, id)) {
            return session.append(List.of(new SessionDescribed(Instant.EPOCH, "another")));
        }
    }
}

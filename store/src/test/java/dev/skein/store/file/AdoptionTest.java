package dev.skein.store.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.failure.SkeinException;
import dev.skein.session.Entry;
import dev.skein.session.Scope;
import dev.skein.session.SessionId;
import dev.skein.store.NewSession;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Sessions taken over from another store while somebody changes this one.
class AdoptionTest {

    private static final Scope SCOPE = Scope.LOCAL;
    private static final int LOOKS_MAX = 200;

    private SessionId parent;
    private SessionId child;
    private List<Entry> fork;

    @Test
    void a_parent_deleted_at_any_moment_leaves_a_whole_fork_or_nothing() {
        exportFork();
        var look = 0;
        while (look < LOOKS_MAX && deletedAt(look)) {
            look++;
        }

        assertThat(look).as("moments tried, all there are").isBetween(5, LOOKS_MAX - 1);
    }

    private void exportFork() {
        try (var source = FileSessionStore.open(TemporaryHome.inMemory());
                var made = source.create(NewSession.in(SCOPE));
                var forked = source.fork(SCOPE, made.id(), 1, NewSession.in(SCOPE))) {
            parent = made.id();
            child = forked.id();
            fork = forked.read(2);
        }
    }

    /// Deletes the parent when the store looks at a file for the n-th time during the adoption. False if it is alone in
    /// the tree by then.
    private boolean deletedAt(int look) {
        var home = TemporaryHome.inMemory();
        var left = new AtomicInteger(Integer.MAX_VALUE);
        var deleted = new AtomicBoolean();
        try (var other = FileSessionStore.open(home)) {
            other.create(NewSession.in(SCOPE).withId(parent)).close();
            var disk = new ForwardingDisk(new RealDisk()) {
                @Override
                public Stat stat(Path path) throws IOException {
                    if (left.getAndDecrement() == 0
                            && isFree(Layout.of(home, SCOPE).namesLock())) {
                        other.delete(SCOPE, parent);
                        deleted.set(true);
                    }
                    return super.stat(path);
                }
            };
            try (var store = FileSessionStore.open(disk, home, StoreOptions.standard())) {
                left.set(look);
                adopt(store);
                assertThat(home.resolve("sessions/by-id/" + parent).toFile().exists())
                        .as("the parent after it was deleted at look %d", look)
                        .isEqualTo(!deleted.get());
                return deleted.get();
            }
        }
    }

    private static boolean isFree(Path lock) throws IOException {
        try (var held = LockFile.tryAcquire(lock)) {
            return held != null;
        }
    }

    private void adopt(FileSessionStore store) {
        try (var adopted = store.adopt(null, fork)) {
            assertThat(adopted.read(1)).hasSize(2);
        } catch (SkeinException _) {
            assertThat(store.locate(SCOPE.owner(), child)).isEmpty();
        }
    }
}

package dev.skein.store.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.session.Scope;
import dev.skein.session.SessionEvent.SessionDescribed;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.file.FaultyDisk.Call;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What is synced when, and that an interrupt never harms.
class DurabilityTest {

    private static final Scope SCOPE = Scope.LOCAL;
    private static final int APPENDS = 20;

    private final Path home = TemporaryHome.make();
    private final FaultyDisk disk = new FaultyDisk(new RealDisk(), home);

    @Test
    void always_syncs_before_it_acknowledges() {
        try (var store = open(Durability.ALWAYS);
                var handle = store.create(NewSession.in(SCOPE))) {
            for (int i = 0; i < APPENDS; i++) {
                handle.append(described("kept " + i));

                assertThat(disk.isDurable(journalOf(handle), home)).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"INTERVAL", "NEVER"})
    void interval_and_never_do_not_sync_on_append(Durability durability) {
        try (var store = open(durability);
                var handle = store.create(NewSession.in(SCOPE))) {
            var before = disk.count(Call.SYNC);

            for (int i = 0; i < APPENDS; i++) {
                handle.append(described("kept " + i));
            }

            assertThat(disk.count(Call.SYNC) - before).as("syncs").isLessThan(5);
            assertThat(disk.isDurable(journalOf(handle), home)).isFalse();
        }
    }

    @Test
    void interval_syncs_when_the_store_is_closed() {
        Path journal;
        try (var store = open(Durability.INTERVAL);
                var handle = store.create(NewSession.in(SCOPE))) {
            handle.append(described("kept"));
            journal = journalOf(handle);
        }

        assertThat(disk.isDurable(journal, home)).isTrue();
    }

    @Test
    void interval_syncs_what_a_guard_wrote_that_is_still_held() {
        var store = open(Durability.INTERVAL);
        var handle = store.create(NewSession.in(SCOPE));
        var guard = handle.lock(SessionHandle.WAIT_DEFAULT);
        guard.append(described("in the middle of a long turn"));

        store.close();

        assertThat(disk.isDurable(journalOf(handle), home)).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void closing_keeps_everything_for_the_next_process(Durability durability) {
        Path journal;
        try (var store = open(durability);
                var handle = store.create(NewSession.in(SCOPE).named("kept"))) {
            handle.append(described("one"));
            journal = journalOf(handle);
        }
        assertThat(journal).exists();
        try (var store = FileSessionStore.open(home);
                var handle = store.openOrCreate(NewSession.in(SCOPE).named("kept"))) {
            assertThat(handle.read(2)).hasSize(1);
        }
    }

    @Test
    void a_thread_that_is_interrupted_all_the_time_loses_no_append() throws Exception {
        try (var store = open(Durability.ALWAYS);
                var handle = store.create(NewSession.in(SCOPE).named("interrupted"))) {
            var acknowledged = new ArrayList<String>();
            var failed = new AtomicInteger();
            var done = new CountDownLatch(1);
            var writer = Thread.ofPlatform().start(() -> {
                try {
                    for (int i = 0; i < 100; i++) {
                        try {
                            handle.append(described("value " + i));
                            acknowledged.add("value " + i);
                        } catch (dev.skein.failure.SkeinException _) {
                            failed.incrementAndGet();
                            Thread.interrupted();
                        }
                    }
                } finally {
                    done.countDown();
                }
            });
            while (done.getCount() > 0) {
                writer.interrupt();
                Thread.onSpinWait();
            }

            assertThat(textsOf(handle)).containsAll(acknowledged);
            assertThat(failed.get())
                    .as("appends that failed because of an interrupt")
                    .isZero();
            assertThat(handle.append(described("after")).first())
                    .isEqualTo(handle.state().version());
        }
        try (var store = FileSessionStore.open(home);
                var handle = store.openOrCreate(NewSession.in(SCOPE).named("interrupted"))) {
            assertThat(textsOf(handle)).hasSize(101);
        }
    }

    @Test
    void an_interrupted_thread_can_read_create_and_append() {
        try (var store = open(Durability.ALWAYS)) {
            Thread.currentThread().interrupt();
            try (var handle = store.create(NewSession.in(SCOPE).named("made"))) {
                handle.append(described("said"));

                assertThat(textsOf(handle)).containsExactly("said");
                assertThat(handle.context(10).messages()).isEmpty();
            }
            assertThat(Thread.interrupted()).as("still interrupted").isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    private FileSessionStore open(Durability durability) {
        return FileSessionStore.open(disk, home, StoreOptions.standard().withDurability(durability));
    }

    private Path journalOf(SessionHandle handle) {
        return Layout.journal(Layout.of(home, SCOPE).session(handle.id()));
    }

    private static List<SessionDescribed> described(String text) {
        return List.of(new SessionDescribed(Clock.systemUTC().instant(), text));
    }

    private static List<String> textsOf(SessionHandle handle) {
        return handle.read(2).stream()
                .map(entry -> entry.event() instanceof SessionDescribed(var _, var text) ? text : "?")
                .toList();
    }
}

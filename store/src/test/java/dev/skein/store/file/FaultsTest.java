package dev.skein.store.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.failure.SkeinException;
import dev.skein.failure.StorageFailed;
import dev.skein.session.Entry;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionEvent.SessionDescribed;
import dev.skein.session.SessionId;
import dev.skein.store.Batch;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.PurgeQuery;
import dev.skein.store.SearchQuery;
import dev.skein.store.file.FaultyDisk.Call;
import dev.skein.store.file.FaultyDisk.Fault;
import dev.skein.store.file.FaultyDisk.Mode;
import dev.skein.store.file.FaultyDisk.Plan;
import dev.skein.testkit.Events;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Whatever call to the disk fails, once or for a while: the failure is typed, nothing acknowledged is lost, and the
/// store goes on when the disk does.
class FaultsTest {

    private static final Scope SCOPE = Scope.LOCAL;
    private static final int CALLS_MAX = 2_000;

    /// Every call that changes something fails once; of the rest every seventh, unless `-Dskein.faults.all=true`
    /// asks for all.
    private static final Set<Call> CHANGES =
            EnumSet.of(Call.WRITE, Call.SYNC, Call.MOVE, Call.DELETE, Call.CREATE_DIRECTORY, Call.SYNC_DIRECTORY);

    private static final int STRIDE = 7;
    private static final List<Fault> FAULTS = List.of(Fault.FULL, Fault.BROKEN, Fault.DENIED);

    @ParameterizedTest
    @EnumSource
    void every_call_may_fail_once(Call call) {
        sweep(call, Mode.ONCE);
    }

    @ParameterizedTest
    @EnumSource
    void every_call_may_fail_until_the_disk_is_healed(Call call) {
        sweep(call, Mode.UNTIL_HEALED);
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITE", "SYNC", "MOVE", "DELETE", "CREATE_DIRECTORY", "SYNC_DIRECTORY", "TRUNCATE"})
    void every_change_may_fail_after_it_was_made(Call call) {
        sweep(call, Mode.ONCE_AFTER_DOING_IT);
    }

    @Test
    void a_fault_in_one_session_does_not_touch_another() {
        var home = TemporaryHome.inMemory();
        var id = SessionId.parse("0198c0de-0000-7000-8000-000000000001").orElseThrow();
        var sick = Layout.of(home, SCOPE).session(id);
        var disk = new FaultyDisk(new RealDisk(), sick);
        try (var store = FileSessionStore.open(disk, home, options());
                var bad = store.create(NewSession.in(SCOPE).withId(id).named("bad"));
                var good = store.create(NewSession.in(SCOPE).named("good"))) {
            disk.plan(new Plan(Call.SYNC, 1, Fault.BROKEN, Mode.UNTIL_HEALED));

            assertThat(failureOf(() -> bad.append(described("lost")))).isEqualTo("store.io");

            assertThat(good.append(described("kept")).first()).isEqualTo(2);
            assertThat(store.list(ListQuery.of(SCOPE)).sessions()).hasSize(2);
            assertThat(disk.fired()).isTrue();
        }
    }

    /// That the sweep can fail: a writer that syncs again through the same descriptor is noticed.
    @Test
    void a_sync_retried_on_the_same_file_is_noticed() throws Exception {
        var home = TemporaryHome.inMemory();
        var disk = new FaultyDisk(new RealDisk(), home);
        disk.plan(new Plan(Call.SYNC, 1, Fault.BROKEN, Mode.ONCE));
        var path = home.resolve("file");
        try (var file = disk.open(path, Disk.Access.CREATE)) {
            file.write(java.nio.ByteBuffer.wrap(new byte[] {1, 2, 3}), 0);
            assertThat(failureOf(() -> sync(file))).isEqualTo("store.io");
            file.sync();
        }
        disk.syncDirectory(home);

        assertThat(disk.violations()).singleElement().asString().contains("synced after a failed sync");
        assertThat(disk.isDurable(path, home)).as("lost until written again").isFalse();
    }

    private static void sync(Disk.DiskFile file) {
        try {
            file.sync();
        } catch (java.io.IOException e) {
            throw Problems.of("sync", e);
        }
    }

    private static void sweep(Call call, Mode mode) {
        var every = Boolean.getBoolean("skein.faults.all") || (CHANGES.contains(call) && mode != Mode.UNTIL_HEALED);
        var step = every ? 1 : STRIDE;
        var nth = 1;
        for (var fired = true; fired; nth += step) {
            assertThat(nth).as("the script ends").isLessThan(CALLS_MAX);
            var fault = FAULTS.get(nth % FAULTS.size());
            fired = new Life(new Plan(call, nth, fault, mode)).run();
        }
        assertThat(nth).as("at least one %s", call).isGreaterThan(call == Call.TRUNCATE ? 1 : 2);
    }

    private static StoreOptions options() {
        return StoreOptions.standard().withRandom(new Random(7));
    }

    private static List<SessionDescribed> described(String text) {
        return List.of(new SessionDescribed(Clock.systemUTC().instant(), text));
    }

    private static String failureOf(Runnable action) {
        try {
            action.run();
            return "none";
        } catch (SkeinException e) {
            return e.code();
        }
    }

    /// One run of a fixed script on a disk with one fault, and what must hold after it.
    private static final class Life {
        private final Plan plan;
        private final Path home = TemporaryHome.inMemory();
        private final FaultyDisk disk = new FaultyDisk(new RealDisk(), home);
        private final Events events = new Events(Clock.systemUTC(), 1);
        private final Map<SessionId, Map<Long, String>> acknowledged = new LinkedHashMap<>();
        private final Map<String, SessionId> named = new LinkedHashMap<>();
        private final List<String> codes = new ArrayList<>();
        private int said;

        Life(Plan plan) {
            this.plan = plan;
        }

        /// Returns whether the fault happened.
        boolean run() {
            disk.plan(plan);
            var store = attempt(() -> FileSessionStore.open(disk, home, options()));
            if (store != null) {
                script(store);
            }
            disk.heal();
            var usable = store == null ? FileSessionStore.open(disk, home, options()) : store;
            goesOn(usable);
            usable.close();
            assertThat(disk.openFiles()).as("open files after %s", plan).isZero();
            assertThat(disk.violations()).as("after %s", plan).isEmpty();
            assertThat(codes).as("codes after %s", plan).allMatch(plan.fault().code()::equals);
            nothingIsLost();
            TemporaryHome.delete(home);
            return disk.fired();
        }

        private void script(FileSessionStore store) {
            var a = create(store, "a");
            say(store, a, 2);
            var b = create(store, "b");
            say(store, b, 1);
            var c = fork(store, a);
            say(store, c, 1);
            rename(store, a, "renamed");
            attempt(() -> store.list(ListQuery.of(SCOPE)));
            attempt(() -> {
                store.search(SearchQuery.of(SCOPE.owner(), "word"), _ -> {});
                return true;
            });
            attempt(() -> store.last(SCOPE));
            tornTail(a);
            say(store, a, 1);
            read(store, a);
            purgeAndRestore(store);
            delete(store, b);
        }

        /// Runs one step; failures must be Skein's.
        private <T> @Nullable T attempt(java.util.function.Supplier<T> step) {
            try {
                return step.get();
            } catch (StorageFailed e) {
                codes.add(e.code());
            } catch (SkeinException e) {
                // A step that builds on a failed one.
                assertThat(disk.fired()).as("%s without a fault", e).isTrue();
            }
            return null;
        }

        private @Nullable SessionId create(FileSessionStore store, String name) {
            return attempt(() -> {
                try (var made = store.create(NewSession.in(SCOPE).named(name))) {
                    acknowledged.put(made.id(), new LinkedHashMap<>());
                    named.put(name, made.id());
                    return made.id();
                }
            });
        }

        private @Nullable SessionId fork(FileSessionStore store, @Nullable SessionId parent) {
            return parent == null
                    ? null
                    : attempt(() -> {
                        try (var made = store.fork(
                                SCOPE, parent, 2, NewSession.in(SCOPE).named("c"))) {
                            acknowledged.put(made.id(), new LinkedHashMap<>());
                            named.put("c", made.id());
                            return made.id();
                        }
                    });
        }

        private void rename(FileSessionStore store, @Nullable SessionId id, String name) {
            if (id == null) {
                return;
            }
            named.values().remove(id);
            attempt(() -> {
                store.rename(SCOPE, id, new SessionAlias(name));
                named.put(name, id);
                return true;
            });
        }

        private void say(FileSessionStore store, @Nullable SessionId id, int times) {
            for (int i = 0; i < times && id != null; i++) {
                attempt(() -> {
                    try (var handle = store.open(SCOPE, id)) {
                        append(handle, id, "word-" + said++);
                    }
                    return true;
                });
            }
        }

        private void append(dev.skein.store.SessionHandle handle, SessionId id, String text) {
            var batch = Batch.at(handle.state().version(), List.of(events.described(text), events.described(text)))
                    .withKey(text);
            var appended = handle.append(batch);
            var kept = acknowledged.computeIfAbsent(id, _ -> new LinkedHashMap<>());
            kept.put(appended.first(), text);
            kept.put(appended.last(), text);
        }

        /// What a process that was killed in mid-write leaves.
        private void tornTail(@Nullable SessionId id) {
            if (id != null) {
                TornTail.add(Layout.journal(Layout.of(home, SCOPE).session(id)));
            }
        }

        private void read(FileSessionStore store, @Nullable SessionId id) {
            if (id != null) {
                attempt(() -> {
                    try (var handle = store.open(SCOPE, id)) {
                        handle.context(10);
                        return handle.read(1);
                    }
                });
            }
        }

        private void purgeAndRestore(FileSessionStore store) {
            attempt(() -> store.purge(PurgeQuery.keeping(SCOPE, 1)));
            acknowledged
                    .keySet()
                    .forEach(each -> attempt(() -> {
                        if (store.list(ListQuery.of(SCOPE)).sessions().stream().noneMatch(at -> each.equals(at.id()))) {
                            store.restore(SCOPE, each);
                        }
                        return true;
                    }));
        }

        private void delete(FileSessionStore store, @Nullable SessionId id) {
            if (id == null) {
                return;
            }
            acknowledged.remove(id);
            named.values().remove(id);
            attempt(() -> {
                store.delete(SCOPE, id);
                return true;
            });
        }

        /// With a sound disk the same store takes everything again, without being reopened.
        private void goesOn(FileSessionStore store) {
            for (var id : acknowledged.keySet()) {
                if (store.locate(SCOPE.owner(), id).isEmpty()) {
                    store.restore(SCOPE, id);
                }
                try (var handle = store.open(SCOPE, id)) {
                    append(handle, id, "healed-" + said++);
                    var journal = Layout.journal(Layout.of(home, SCOPE).session(id));
                    assertThat(disk.isDurable(journal, home))
                            .as("%s is durable after %s", journal, plan)
                            .isTrue();
                }
            }
            try (var fresh = store.openOrCreate(NewSession.in(SCOPE).named("fresh"))) {
                append(fresh, fresh.id(), "fresh");
                named.put("fresh", fresh.id());
            }
        }

        private void nothingIsLost() {
            try (var store = FileSessionStore.open(home, options())) {
                acknowledged.forEach((id, kept) -> {
                    try (var handle = store.open(SCOPE, id)) {
                        var stored = new LinkedHashMap<Long, String>();
                        handle.read(1).forEach(entry -> stored.put(entry.seq(), textOf(entry)));
                        assertThat(stored).as("%s after %s", id, plan).containsAllEntriesOf(kept);
                        assertThat(handle.read(1)).extracting(Entry::seq).doesNotHaveDuplicates();
                    }
                });
                named.forEach((name, id) -> assertThat(store.resolve(SCOPE, new SessionAlias(name)))
                        .as("'%s' after %s", name, plan)
                        .contains(id));
                var page = store.list(ListQuery.of(SCOPE));
                assertThat(page.problems()).as("problems after %s", plan).isEmpty();
                assertThat(page.sessions()).extracting(summary -> summary.id()).containsAll(acknowledged.keySet());
            }
        }

        private static String textOf(Entry entry) {
            return entry.event() instanceof SessionDescribed(var _, var text) ? String.valueOf(text) : "";
        }
    }
}

package dev.skein.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.SessionNotFound;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.PurgeQuery;
import dev.skein.testkit.Events;
import dev.skein.testkit.MutableClock;
import dev.skein.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What the rules of retention take away, when, and how it comes back.
class RetentionTest {

    private static final Scope SCOPE = Scope.LOCAL;
    private static final Duration MONTH = Duration.ofDays(30);
    private static final Duration GRACE = StoreOptions.standard().trashGrace();
    private static final Duration TICK = Duration.ofSeconds(1);

    private final Path home = TemporaryHome.inMemory();
    private final MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final Events events = new Events(clock, 1);
    private FileSessionStore store;

    @BeforeEach
    void open() {
        store = open(Retention.Rules.standard());
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void a_chat_goes_after_strictly_more_than_thirty_days_and_nothing_else_ever() {
        chat("chat");
        create("mine");

        clock.advance(MONTH);
        store.applyRetention();
        assertThat(listed()).containsExactlyInAnyOrder("chat", "mine");

        clock.advance(TICK);
        store.applyRetention();
        assertThat(listed()).containsExactly("mine");

        clock.advance(Duration.ofDays(3650));
        store.applyRetention();
        assertThat(listed()).containsExactly("mine");
    }

    @Test
    void a_file_whose_session_left_the_trash_stays_and_is_offered_again_only_if_it_changes() throws Exception {
        var file = Files.writeString(
                Files.createDirectories(home.resolve("sessions")).resolve("old.yaml"),
                "model: m\nmessages:\n- role: user\n  content: hello\n");
        Files.setLastModifiedTime(file, FileTime.from(clock.instant()));
        var id = store.resolve(SCOPE, new SessionAlias("old")).orElseThrow();
        clock.advance(MONTH.plus(TICK));

        store.purge(PurgeQuery.idleFor(SCOPE, MONTH));
        assertThat(listed()).isEmpty();
        clock.advance(GRACE.plus(TICK));
        store.applyRetention();

        assertThatThrownBy(() -> store.restore(SCOPE, id)).isInstanceOf(SessionNotFound.class);
        assertThat(listed()).isEmpty();
        assertThat(file).hasContent("model: m\nmessages:\n- role: user\n  content: hello\n");
        Files.writeString(file, "- role: assistant\n  content: hi\n", StandardOpenOption.APPEND);
        assertThat(listed()).containsExactly("old");
    }

    @Test
    void a_chat_that_goes_on_stays() {
        var id = chat("chat");
        clock.advance(MONTH);
        say(id);
        clock.advance(MONTH);

        store.applyRetention();

        assertThat(listed()).containsExactly("chat");
    }

    @Test
    void a_purged_session_comes_back_within_the_grace_time_and_is_gone_after_it() {
        var id = chat("chat");
        clock.advance(MONTH.plus(TICK));
        store.applyRetention();

        clock.advance(GRACE);
        store.applyRetention();
        store.restore(SCOPE, id);
        assertThat(listed()).containsExactly("chat");

        reopen(Retention.Rules.standard());
        store.applyRetention();
        assertThat(listed()).as("what was asked for stays").containsExactly("chat");
        clock.advance(MONTH.plus(TICK));
        store.applyRetention();
        assertThat(listed()).isEmpty();
        clock.advance(GRACE.plus(TICK));
        store.applyRetention();
        assertThatThrownBy(() -> store.restore(SCOPE, id)).isInstanceOf(SessionNotFound.class);
        assertThat(Layout.of(home, SCOPE).trashed(id)).doesNotExist();
    }

    @Test
    void that_a_session_was_restored_is_forgotten_when_it_was_used_or_is_gone() {
        var used = chat("used");
        var deleted = chat("deleted");
        clock.advance(MONTH.plus(TICK));
        store.applyRetention();
        store.restore(SCOPE, used);
        store.restore(SCOPE, deleted);
        var notes = Layout.of(home, SCOPE).restored();
        assertThat(notes.resolve(used.toString())).exists();

        store.applyRetention();
        assertThat(notes).isDirectoryContaining(file -> file.endsWith(used.toString()));
        clock.advance(TICK);
        say(used);
        store.delete(SCOPE, deleted);
        store.applyRetention();

        assertThat(notes).isEmptyDirectory();
    }

    @Test
    void what_is_restored_while_the_trash_is_emptied_stays_and_the_rest_goes() {
        var ids = List.of(create("a"), create("b"), create("c"));
        store.purge(PurgeQuery.keeping(SCOPE, 0));
        clock.advance(GRACE.plus(TICK));
        var restored = new ArrayList<SessionId>();
        var disk = new ForwardingDisk(new RealDisk()) {
            @Override
            public DiskFile open(Path path, Access access) throws IOException {
                var file = super.open(path, access);
                if (path.endsWith("purged_at") && restored.isEmpty()) {
                    restored.add(SessionId.of(
                            String.valueOf(DurableNames.parent(path).getFileName())));
                    store.restore(SCOPE, restored.getFirst());
                }
                return file;
            }
        };

        try (var other = FileSessionStore.open(
                disk, home, StoreOptions.standard().withClock(clock).withRetention(Retention.Rules.keepAll()))) {
            other.applyRetention();
        }

        assertThat(restored).hasSize(1);
        assertThat(ids).allSatisfy(id -> {
            assertThat(store.locate(SCOPE.owner(), id).isPresent()).isEqualTo(restored.contains(id));
            assertThat(Layout.of(home, SCOPE).trashed(id)).doesNotExist();
        });
    }

    @Test
    void each_scope_keeps_its_newest_sessions() {
        reopen(Retention.Rules.keepAll().withSessionsMax(2));
        for (var name : List.of("a", "b", "c")) {
            create(name);
            store.create(NewSession.in(SCOPE.withAgent("coder")).named(name));
            store.create(NewSession.in(Scope.ofOwner("eve")).named(name));
            clock.advance(TICK);
        }

        store.applyRetention();

        assertThat(listed()).containsExactly("c", "b");
        assertThat(namesIn(SCOPE.withAgent("coder"))).containsExactly("c", "b");
        assertThat(namesIn(Scope.ofOwner("eve"))).containsExactly("c", "b");
    }

    @Test
    void a_session_used_between_selection_and_move_stays() throws Exception {
        var id = create("used");
        var tree = new Home(new RealDisk(), home).tree(SCOPE);
        clock.advance(MONTH.plus(TICK));
        var committer = new Committer();
        var cache = new SessionCache(committer, Durability.ALWAYS, _ -> false);
        var found = new Catalog(tree, new LegacyFiles(tree), each -> cache.session(tree, each)).find();

        say(id);
        var moved = new Trash(tree, each -> cache.session(tree, each), cache::forget)
                .purge(PurgeQuery.idleFor(SCOPE, MONTH), found, clock);

        assertThat(found.sessions()).as("selected").hasSize(1);
        assertThat(moved).isEmpty();
        assertThat(listed()).containsExactly("used");
        committer.close();
    }

    @Test
    void a_session_that_is_being_written_to_stays() {
        var id = create("busy");
        clock.advance(MONTH.plus(TICK));

        try (var handle = store.open(SCOPE, id);
                var _ = handle.lock(Duration.ofSeconds(30))) {
            assertThat(store.purge(PurgeQuery.idleFor(SCOPE, MONTH))).isEmpty();
        }

        assertThat(store.purge(PurgeQuery.idleFor(SCOPE, MONTH))).hasSize(1);
    }

    @Test
    void a_fork_of_a_purged_session_goes_on_after_the_trash_was_emptied() {
        var parent = chat("chat");
        say(parent);
        var fork = store.fork(SCOPE, parent, 7, NewSession.in(SCOPE).named("fork"));
        var before = fork.read(1);
        clock.advance(MONTH.plus(TICK));
        store.applyRetention();
        clock.advance(GRACE.plus(TICK));
        store.applyRetention();

        assertThatThrownBy(() -> store.restore(SCOPE, parent)).isInstanceOf(SessionNotFound.class);
        try (var reopened = open(Retention.Rules.standard());
                var handle = reopened.open(SCOPE, fork.id())) {
            assertThat(handle.read(1)).isEqualTo(before);
            handle.append(events.exchange(handle.state().head(), "still here", "yes"));
        }
        store.delete(SCOPE, fork.id());
        assertThat(Layout.of(home, SCOPE).forkedFrom(parent)).doesNotExist();
    }

    @Test
    void a_purged_session_keeps_its_newest_name_over_its_old_one() {
        var id = chat("first");
        store.rename(SCOPE, id, new dev.skein.session.SessionAlias("second"));
        clock.advance(MONTH.plus(TICK));
        store.applyRetention();
        assertThat(store.resolve(SCOPE, new dev.skein.session.SessionAlias("second")))
                .isEmpty();

        store.restore(SCOPE, id);

        assertThat(listed()).containsExactly("second");
    }

    @Test
    void one_damaged_session_does_not_keep_the_others_from_being_purged() throws Exception {
        var damaged = chat("damaged");
        chat("sound");
        store.list(ListQuery.of(SCOPE));
        var journal = Layout.journal(Layout.of(home, SCOPE).session(damaged));
        Files.write(journal, new byte[(int) Files.size(journal)]);
        reopen(Retention.Rules.standard());
        clock.advance(MONTH.plus(TICK));

        store.applyRetention();

        assertThat(journal).exists();
        assertThat(listed()).doesNotContain("sound");
    }

    @Test
    void the_background_task_runs_when_it_is_due() {
        var rules = new Retention.Rules(MONTH, null, null, Duration.ofMillis(20));
        reopen(rules);
        chat("chat");
        clock.advance(MONTH.plus(TICK));

        var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!listed().isEmpty() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(1_000_000);
        }

        assertThat(listed()).isEmpty();
    }

    private FileSessionStore open(Retention.Rules rules) {
        return FileSessionStore.open(
                home,
                StoreOptions.standard()
                        .withClock(clock)
                        .withRandom(new Random(3))
                        .withRetention(rules));
    }

    private void reopen(Retention.Rules rules) {
        store.close();
        store = open(rules);
    }

    private SessionId create(String name) {
        try (var handle = store.create(NewSession.in(SCOPE).named(name))) {
            return handle.id();
        }
    }

    private SessionId chat(String name) {
        var channel = Json.MAPPER.getNodeFactory().stringNode("telegram");
        try (var handle = store.create(NewSession.in(SCOPE).named(name).withMetadata(Map.of("channel", channel)))) {
            return handle.id();
        }
    }

    private void say(SessionId id) {
        try (var handle = store.open(SCOPE, id)) {
            handle.append(events.exchange(handle.state().head(), "hello", "hi"));
        }
    }

    private List<String> listed() {
        return namesIn(SCOPE);
    }

    private List<String> namesIn(Scope scope) {
        return store.list(ListQuery.of(scope)).sessions().stream()
                .map(summary -> String.valueOf(summary.alias()))
                .toList();
    }
}

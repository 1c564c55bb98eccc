package dev.skein.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.SessionLocked;
import dev.skein.failure.UnsupportedVersion;
import dev.skein.session.Scope;
import dev.skein.session.SessionEvent.SessionDescribed;
import dev.skein.store.Batch;
import dev.skein.store.NewSession;
import dev.skein.store.PurgeQuery;
import dev.skein.store.SearchHit;
import dev.skein.store.SearchQuery;
import dev.skein.testkit.Events;
import dev.skein.testkit.MutableClock;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Two stores on one database, as two machines have them, and what is in the tables.
@ParameterizedClass
@EnumSource(SharedDatabaseTest.Kind.class)
class SharedDatabaseTest {

    enum Kind {
        SQLITE,
        POSTGRES
    }

    private static final Scope SCOPE = Scope.LOCAL;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// Long enough that nothing is renewed meanwhile: what runs out is made to.
    private static final JdbcOptions OPTIONS =
            JdbcOptions.standard().withLease(Duration.ofHours(2), Duration.ofHours(1));

    @Parameter
    Kind kind;

    private final List<JdbcSessionStore> opened = new ArrayList<>();
    private final Events events = new Events(Clock.systemUTC(), 3);
    private String url;
    private JdbcSessionStore one;
    private JdbcSessionStore two;

    @BeforeEach
    void openBoth() {
        url = kind == Kind.SQLITE ? TestDatabases.sqlite() : TestDatabases.postgres();
        one = open(OPTIONS);
        two = open(OPTIONS);
    }

    @AfterEach
    void closeAll() {
        opened.forEach(JdbcSessionStore::close);
    }

    @Test
    void tables_of_a_newer_program_are_refused() throws SQLException {
        execute("UPDATE skein_schema SET version = 99");

        assertThatThrownBy(() -> open(OPTIONS))
                .isInstanceOf(UnsupportedVersion.class)
                .hasMessageContaining("99")
                .hasMessageContaining("newer Skein");
    }

    @Test
    void of_many_programs_that_start_at_once_one_makes_the_tables() throws Exception {
        url = kind == Kind.SQLITE ? TestDatabases.sqlite() : TestDatabases.postgres();
        var barrier = new CyclicBarrier(6);
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            var stores = new ArrayList<Future<JdbcSessionStore>>();
            for (int i = 0; i < 6; i++) {
                stores.add(pool.submit(() -> {
                    barrier.await();
                    return JdbcSessionStore.open(url, OPTIONS);
                }));
            }
            for (var store : stores) {
                opened.add(store.get());
            }
        }
        var id = opened.getLast().create(NewSession.in(SCOPE)).id();
        assertThat(opened.get(2).open(SCOPE, id).state().version()).isEqualTo(1);
    }

    @Test
    void a_turn_on_one_machine_is_waited_for_on_the_other() {
        var here = one.create(NewSession.in(SCOPE));
        var there = two.open(SCOPE, here.id());
        var guard = here.lock(PATIENCE);
        assertThatThrownBy(() -> there.lock(Duration.ofMillis(50))).isInstanceOf(SessionLocked.class);

        var waiting = CompletableFuture.supplyAsync(() -> there.append(events.descriptions(1)));
        guard.append(events.descriptions(2));
        guard.close();

        assertThat(waiting.join().first()).isEqualTo(4);
        assertThat(here.state()).isEqualTo(there.state());
    }

    @Test
    void who_runs_on_one_machine_hears_that_another_asks_for_the_end_and_nobody_who_comes_later() throws Exception {
        var here = one.create(NewSession.in(SCOPE));
        var there = two.open(SCOPE, here.id());
        assertThat(there.askToStop()).isFalse();
        var heard = new CountDownLatch(1);
        var later = new CountDownLatch(1);
        try (var _ = here.onStopAsked(heard::countDown);
                var _ = here.lock(PATIENCE)) {
            assertThat(heard.getCount()).isOne();
            assertThat(here.askToStop()).isFalse();
            assertThat(heard.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(there.askToStop()).isTrue();
            try (var _ = here.onStopAsked(later::countDown)) {
                assertThat(later.getCount()).isOne();
                there.askToStop();
                assertThat(later.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    @Test
    void whoever_lost_its_lease_cannot_write_and_ends_nobody_elses() throws SQLException {
        var here = one.create(NewSession.in(SCOPE));
        var there = two.open(SCOPE, here.id());
        var stale = here.lock(PATIENCE);
        execute("UPDATE skein_head SET expires = 0");
        try (var guard = there.lock(PATIENCE)) {
            assertThatThrownBy(() -> stale.append(events.descriptions(1)))
                    .isInstanceOfSatisfying(
                            SessionLocked.class, e -> assertThat(e.code()).isEqualTo("session.lease_lost"));
            stale.close();
            assertThatThrownBy(() -> here.lock(Duration.ofMillis(50))).isInstanceOf(SessionLocked.class);

            guard.append(events.descriptions(1));
        }
        assertThat(here.append(events.descriptions(1)).first()).isEqualTo(3);
    }

    @Test
    void a_lease_that_ran_out_still_holds_as_long_as_nobody_takes_it() throws SQLException {
        var here = one.create(NewSession.in(SCOPE));
        try (var guard = here.lock(PATIENCE)) {
            execute("UPDATE skein_head SET expires = 0");

            assertThat(guard.append(events.descriptions(1)).first()).isEqualTo(2);
        }
    }

    @Test
    void a_retry_is_recognised_on_another_machine_and_after_the_lease_was_lost() throws SQLException {
        var here = one.create(NewSession.in(SCOPE));
        var batch = Batch.at(1, events.descriptions(2)).withKey("key");
        var guard = here.lock(PATIENCE);
        guard.append(batch);
        execute("UPDATE skein_head SET expires = 0");

        assertThat(two.open(SCOPE, here.id()).append(batch).repeated()).isTrue();
        two.open(SCOPE, here.id()).append(events.descriptions(1));
        assertThat(guard.append(batch).repeated()).isTrue();
        guard.close();
    }

    @Test
    void an_interrupted_thread_still_writes_and_stays_interrupted() {
        var here = one.create(NewSession.in(SCOPE));
        try (var guard = here.lock(PATIENCE)) {
            Thread.currentThread().interrupt();

            assertThat(guard.append(events.descriptions(1)).first()).isEqualTo(2);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void a_watch_sees_what_another_machine_appends_and_when_it_deletes() throws Exception {
        var here = one.create(NewSession.in(SCOPE));
        var there = two.open(SCOPE, here.id());
        try (var watch = here.watch(2)) {
            there.append(events.descriptions(2));
            assertThat(watch.next(PATIENCE).orElseThrow().seq()).isEqualTo(2);
            assertThat(watch.next(PATIENCE).orElseThrow().seq()).isEqualTo(3);

            two.delete(SCOPE, here.id());

            assertThatThrownBy(() -> watch.next(PATIENCE)).isInstanceOf(dev.skein.failure.SessionNotFound.class);
        }
    }

    @Test
    void a_watch_goes_on_after_its_connection_was_cut() throws Exception {
        Assumptions.assumeTrue(kind == Kind.POSTGRES, "there is none to cut");
        var here = one.create(NewSession.in(SCOPE));
        try (var watch = here.watch(2)) {
            two.open(SCOPE, here.id()).append(events.descriptions(1));
            assertThat(watch.next(PATIENCE)).isPresent();

            execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
                    + " AND application_name = 'skein'");
            two.open(SCOPE, here.id()).append(events.descriptions(1));

            assertThat(watch.next(PATIENCE).orElseThrow().seq()).isEqualTo(3);
        }
    }

    @Test
    void what_is_derived_may_be_deleted_at_any_time() throws SQLException {
        var id = one.create(NewSession.in(SCOPE).named("kept")).id();
        one.open(SCOPE, id).append(events.exchange(null, "find the needle", "found"));
        var state = one.open(SCOPE, id).state();
        var summary = one.list(dev.skein.store.ListQuery.of(SCOPE));
        one.close();
        assertThat(count("SELECT count(*) FROM skein_state WHERE version = 7")).isEqualTo(1);
        assertThat(count("SELECT count(*) FROM skein_chunk")).isEqualTo(1);

        execute("DELETE FROM skein_state");

        assertThat(two.open(SCOPE, id).state()).isEqualTo(state);
        assertThat(two.list(dev.skein.store.ListQuery.of(SCOPE))).isEqualTo(summary);
        assertThat(search(two, "NEEDLE")).hasSize(1);
        execute("UPDATE skein_head SET indexed = 0");
        execute("DELETE FROM skein_chunk");
        assertThat(search(two, "needle")).hasSize(1);
    }

    @Test
    void what_was_indexed_is_found_by_any_part_of_it_and_by_nothing_else() {
        var handle = one.create(NewSession.in(SCOPE));
        for (int i = 0; i < 50; i++) {
            handle.append(
                    events.exchange(handle.state().head(), "topic " + i + " ÄÖÜ straße 🧵", "it's \"quoted\" " + i));
        }
        one.close();

        for (var text :
                List.of("topic 4", "opic 49", "äöü STRASSE".substring(0, 7), "\"quoted\"", "🧵", "it's", "pi")) {
            assertThat(search(two, text)).as(text).isNotEmpty();
        }
        assertThat(search(two, "topic 99")).isEmpty();
    }

    @Test
    void when_parent_and_forks_are_deleted_not_a_row_is_left() throws SQLException {
        var parent = one.create(NewSession.in(SCOPE));
        parent.append(events.exchange(null, "shared", "yes"));
        parent.append(events.descriptions(3));
        var fork = one.fork(SCOPE, parent.id(), 7, NewSession.in(SCOPE));
        fork.append(events.descriptions(1));

        two.delete(SCOPE, parent.id());
        assertThat(count("SELECT count(*) FROM skein_event"))
                .as("what the fork needs")
                .isEqualTo(9);
        assertThat(fork.read(1)).hasSize(9);
        one.delete(SCOPE, fork.id());

        for (var table : List.of("event", "session", "head", "state", "chunk")) {
            assertThat(count("SELECT count(*) FROM skein_" + table)).as(table).isZero();
        }
    }

    @Test
    void the_trash_is_emptied_after_its_grace() throws SQLException {
        var clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));
        var store = open(OPTIONS.withClock(clock).withTrashGrace(Duration.ofDays(7)));
        var id = store.create(NewSession.in(SCOPE)).id();
        store.purge(PurgeQuery.keeping(SCOPE, 0));
        clock.advance(Duration.ofDays(7));
        store.purge(PurgeQuery.keeping(SCOPE, 0));
        assertThat(count("SELECT count(*) FROM skein_event")).isEqualTo(1);

        clock.advance(Duration.ofSeconds(1));
        store.purge(PurgeQuery.keeping(SCOPE, 0));

        assertThat(count("SELECT count(*) FROM skein_event")).isZero();
        assertThatThrownBy(() -> store.restore(SCOPE, id)).isInstanceOf(dev.skein.failure.SessionNotFound.class);
    }

    @Test
    void people_can_query_events() throws SQLException {
        var handle = one.create(NewSession.in(SCOPE));
        handle.append(List.of(new SessionDescribed(Instant.EPOCH, "about cats")));

        assertThat(count("SELECT count(*) FROM skein_event WHERE session = '" + handle.id() + "'"
                        + " AND body ->> 'type' = 'session_described' AND body ->> 'description' = 'about cats'"))
                .isEqualTo(1);
    }

    @Test
    void names_that_a_database_cannot_hold_are_still_different_names() {
        var odd = List.of("a\\u0000", "a\ud800", "a\udfff", "a?", "a\\");
        for (var owner : odd) {
            one.create(NewSession.in(new Scope(owner, owner)).named("mine"));
        }
        for (var owner : odd) {
            assertThat(two.list(dev.skein.store.ListQuery.ofOwner(owner)).sessions())
                    .singleElement()
                    .satisfies(summary -> assertThat(summary.owner()).isEqualTo(owner));
        }
        var handle = one.create(NewSession.in(SCOPE));
        var batch = Batch.at(1, events.descriptions(1)).withKey("\u0000\ud800\\");
        handle.append(batch);
        assertThat(two.open(SCOPE, handle.id()).append(batch).repeated()).isTrue();
        assertThat(two.open(SCOPE, handle.id()).read(2).getFirst().key()).isEqualTo("\u0000\ud800\\");
    }

    private JdbcSessionStore open(JdbcOptions options) {
        var store = JdbcSessionStore.open(url, options);
        opened.add(store);
        return store;
    }

    private static List<SearchHit> search(JdbcSessionStore store, String text) {
        var hits = new ArrayList<SearchHit>();
        store.search(SearchQuery.of(SCOPE.owner(), text), hits::add);
        return hits;
    }

    private void execute(String sql) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:" + url);
                var statement = connection.createStatement()) {
            if (kind == Kind.SQLITE) {
                statement.execute("PRAGMA busy_timeout = 30000");
            }
            statement.execute(sql);
        }
    }

    private long count(String sql) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:" + url);
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}

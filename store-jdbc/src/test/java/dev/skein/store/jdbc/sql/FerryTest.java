package dev.skein.store.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.StorageFailed;
import dev.skein.session.Scope;
import dev.skein.store.NewSession;
import dev.skein.store.jdbc.JdbcOptions;
import dev.skein.store.jdbc.JdbcSessionStore;
import dev.skein.store.jdbc.TestDatabases;
import dev.skein.store.jdbc.sql.Dialect.Append;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Appends that cross together, on real databases. The crossings are held up until those who shall share one are
/// there.
@ParameterizedClass
@EnumSource(FerryTest.Kind.class)
class FerryTest {

    enum Kind {
        SQLITE,
        POSTGRES
    }

    private static final Duration FOREVER = Duration.ofHours(1);
    private static final Limits LIMITS = new Limits(10, Duration.ofSeconds(60), Duration.ofSeconds(120));
    private static final long PATIENCE_SECONDS = 60;
    private static final int LARGE = 300_000;
    private static final UUID NOBODY = new UUID(0, 0);

    @Parameter
    Kind kind;

    private final Semaphore departures = new Semaphore(0);
    private volatile CountDownLatch busy = new CountDownLatch(1);
    private final List<Integer> crossed = new CopyOnWriteArrayList<>();
    private final List<UUID> alone = new CopyOnWriteArrayList<>();
    private String url;
    private JdbcSessionStore store;
    private Database database;
    private Ferry ferry;
    private CompletableFuture<Boolean> held = CompletableFuture.completedFuture(true);

    @BeforeEach
    void open() {
        url = kind == Kind.SQLITE ? TestDatabases.sqlite() : TestDatabases.postgres();
        store = JdbcSessionStore.open(url, JdbcOptions.standard());
        database = Database.open(StoreUrl.parse(url), LIMITS);
        ferry = new Ferry(new HeldUp(database.together()), 1, FOREVER);
    }

    @AfterEach
    void close() throws Exception {
        busy.countDown();
        departures.release(1_000);
        held.handle((_, _) -> true).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        ferry.close();
        database.close();
        store.close();
    }

    /// Crosses for real, when it may.
    private final class HeldUp implements Ferry.Crossing {
        private final Ferry.Crossing real;

        HeldUp(Ferry.Crossing real) {
            this.real = real;
        }

        @Override
        public Object kind(Append append) {
            return real.kind(append);
        }

        @Override
        public boolean[] cross(List<Append> appends) throws SQLException {
            crossed.add(appends.size());
            departures.acquireUninterruptibly();
            return real.cross(appends);
        }

        @Override
        public boolean isFinal(SQLException e) {
            return real.isFinal(e);
        }
    }

    @Test
    void those_who_come_while_others_are_under_way_cross_together() throws Exception {
        var group = new ArrayList<CompletableFuture<Boolean>>();
        holdUpTheBoat();
        var sessions = sessions(5);
        sessions.forEach(session -> group.add(append(at(session, 1, "{}"))));
        awaitWaiting(5);

        departures.release(2);

        for (var each : group) {
            assertThat(each.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(crossed).containsExactly(1, 5);
        assertThat(alone).doesNotContainAnyElementsOf(sessions);
        for (var session : sessions) {
            assertThat(count("SELECT version FROM skein_head WHERE session = '" + session + "'"))
                    .isEqualTo(2);
        }
        if (kind == Kind.POSTGRES) {
            assertThat(count("SELECT count(DISTINCT xmin::text) FROM skein_event WHERE seq = 2 AND session IN ('"
                            + String.join(
                                    "', '",
                                    sessions.stream().map(UUID::toString).toList()) + "')"))
                    .as("transactions")
                    .isEqualTo(1);
        }
    }

    @Test
    void one_that_is_refused_does_not_happen_and_the_others_do() throws Exception {
        var sessions = sessions(5);
        execute("UPDATE skein_head SET token = 7");
        assertThat(database.append("use a key", new Append(sessions.get(2), 1, 7L, "key", 0, List.of(bytes("{}")))))
                .isTrue();
        var appends = List.of(
                new Append(sessions.get(0), 9, 7L, "key", 0, List.of(bytes("{}"))),
                new Append(sessions.get(1), 1, 6L, "key", 0, List.of(bytes("{}"))),
                new Append(sessions.get(2), 2, 7L, "key", 0, List.of(bytes("{}"))),
                new Append(sessions.get(3), 1, 7L, "key", 0, List.of(bytes("{}"))),
                new Append(sessions.get(4), 1, 7L, "key", 0, List.of(bytes("{}"))));
        holdUpTheBoat();
        var group = appends.stream().map(this::append).toList();
        awaitWaiting(5);

        departures.release(2);

        for (int i = 0; i < 5; i++) {
            assertThat(group.get(i).get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("append %d", i)
                    .isEqualTo(i > 2);
        }
        assertThat(crossed).containsExactly(1, 5);
        assertThat(count("SELECT count(*) FROM skein_event WHERE key = 'key'")).isEqualTo(3);
    }

    @Test
    void a_session_that_somebody_has_locked_holds_up_only_itself() throws Exception {
        Assumptions.assumeTrue(kind == Kind.POSTGRES, "there is one lock for all");
        var sessions = sessions(4);
        holdUpTheBoat();
        try (var foreign = DriverManager.getConnection("jdbc:" + url);
                var statement = foreign.createStatement()) {
            foreign.setAutoCommit(false);
            statement.execute("SELECT 1 FROM skein_head WHERE session = '" + sessions.get(1) + "' FOR UPDATE");
            var group = sessions.stream()
                    .map(session -> append(at(session, 1, "{}")))
                    .toList();
            awaitWaiting(4);

            departures.release(2);

            for (int other : new int[] {0, 2, 3}) {
                assertThat(group.get(other).get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                        .isTrue();
            }
            assertThat(group.get(1)).isNotDone();
            foreign.rollback();
            assertThat(group.get(1).get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(alone).contains(sessions.get(1)).doesNotContain(sessions.get(0), sessions.get(2), sessions.get(3));
    }

    @Test
    void one_that_the_database_cannot_take_fails_and_the_others_happen() throws Exception {
        var sessions = sessions(3);
        holdUpTheBoat();
        var good = append(at(sessions.get(0), 1, "{}"));
        var bad = append(at(sessions.get(1), 1, "{this is not JSON"));
        var better = append(at(sessions.get(2), 1, "{}"));
        awaitWaiting(3);

        departures.release(2);

        assertThat(good.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(better.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> bad.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(StorageFailed.class);
        assertThat(crossed).containsExactly(1, 3);
        assertThat(count("SELECT version FROM skein_head WHERE session = '" + sessions.get(1) + "'"))
                .isEqualTo(1);
    }

    @Test
    void when_the_connection_breaks_nobody_is_told_that_it_happened_or_did_not() throws Exception {
        Assumptions.assumeTrue(kind == Kind.POSTGRES, "there is no connection");
        var sessions = sessions(2);
        holdUpTheBoat();
        var group =
                sessions.stream().map(session -> append(at(session, 1, "{}"))).toList();
        awaitWaiting(2);
        try (var foreign = DriverManager.getConnection("jdbc:" + url);
                var statement = foreign.createStatement()) {
            departures.release(1);
            awaitTrue(() -> crossed.size() == 2);
            foreign.setAutoCommit(false);
            statement.execute("LOCK TABLE skein_event IN SHARE MODE");
            departures.release(1);
            awaitTrue(() -> count("SELECT count(pg_terminate_backend(pid)) FROM pg_locks WHERE NOT granted"
                            + " AND relation = 'skein_event'::regclass")
                    > 0);
        }
        for (var each : group) {
            assertThatThrownBy(() -> each.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(database.dialect().isUncertain(e)).isTrue());
        }
        assertThat(alone).doesNotContainAnyElementsOf(sessions);
    }

    @Test
    void an_interrupt_neither_breaks_an_append_nor_gets_lost() throws Exception {
        var session = sessions(1).getFirst();
        holdUpTheBoat();
        var interrupted = new CompletableFuture<Boolean>();
        var thread = Thread.ofVirtual().start(() -> {
            var happened = crosses(at(session, 1, "{}"));
            interrupted.complete(happened && Thread.currentThread().isInterrupted());
        });
        awaitWaiting(1);

        thread.interrupt();
        departures.release(2);

        assertThat(interrupted.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void closing_ends_the_waiting_of_all_and_who_is_under_way_arrives() throws Exception {
        holdUpTheBoat();
        var group = sessions(3).stream()
                .map(session -> append(at(session, 1, "{}")))
                .toList();
        awaitWaiting(3);

        var closing = CompletableFuture.runAsync(ferry::close);

        for (var each : group) {
            assertThatThrownBy(() -> each.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("this store was closed");
        }
        assertThatThrownBy(() -> ferry.append(at(NOBODY, 1, "{}"), () -> true)).hasMessage("this store was closed");
        departures.release(1);
        busy.countDown();
        closing.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(held.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void who_is_large_or_not_taken_along_in_time_goes_alone() throws Exception {
        ferry.close();
        ferry = new Ferry(database.together(), 0, Duration.ofMillis(1));
        var sessions = sessions(2);
        keepTwoBusy();

        assertThat(append(at(sessions.get(0), 1, "{}")).get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isTrue();
        var large = "{\"text\": \"" + "x".repeat(LARGE) + "\"}";
        assertThat(append(at(sessions.get(1), 1, large)).get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isTrue();

        assertThat(alone).containsExactlyElementsOf(sessions);
    }

    @Test
    void a_boat_that_rested_takes_who_waits_although_others_are_slow() throws Exception {
        var sessions = sessions(2);
        departures.release(2);
        keepTwoBusy();
        assertThat(append(at(sessions.get(0), 1, "{}")).get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isTrue();
        busy.countDown();
        awaitTrue(ferry::isAtRest);
        busy = new CountDownLatch(1);
        keepTwoBusy();

        assertThat(append(at(sessions.get(1), 1, "{}")).get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isTrue();

        assertThat(crossed).containsExactly(1, 1);
    }

    @Test
    void a_group_has_one_kind_and_no_session_twice() throws Exception {
        var sessions = sessions(2);
        holdUpTheBoat();
        var first = append(at(sessions.get(0), 1, "{}"));
        awaitWaiting(1);
        var again = append(at(sessions.get(0), 2, "{}"));
        awaitWaiting(2);
        var keyed = append(new Append(sessions.get(1), 1, null, "key", 0, List.of(bytes("{}"))));
        awaitWaiting(3);

        departures.release(4);

        for (var each : List.of(first, again, keyed)) {
            assertThat(each.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
        // SQLite takes all kinds.
        assertThat(crossed.subList(1, crossed.size()))
                .containsExactly(kind == Kind.SQLITE ? new Integer[] {2, 1} : new Integer[] {1, 1, 1});
    }

    /// Two go alone and are busy, a third has the boat: whoever comes now waits.
    private void holdUpTheBoat() {
        keepTwoBusy();
        held = append(at(sessions(1).getFirst(), 1, "{}"));
        awaitTrue(() -> crossed.size() == 1);
    }

    private void keepTwoBusy() {
        for (int i = 0; i < 2; i++) {
            var started = new CountDownLatch(1);
            Thread.ofVirtual().start(() -> {
                try {
                    ferry.append(at(NOBODY, 1, "{}"), () -> {
                        started.countDown();
                        return awaited(busy);
                    });
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            awaited(started);
        }
    }

    private CompletableFuture<Boolean> append(Append append) {
        var result = new CompletableFuture<Boolean>();
        Thread.ofVirtual().start(() -> {
            try {
                result.complete(ferry.append(append, () -> alone(append)));
            } catch (SQLException | RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private boolean crosses(Append append) {
        try {
            return ferry.append(append, () -> alone(append));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean alone(Append append) {
        alone.add(append.session());
        return database.write("append", link -> database.dialect().append(link, append));
    }

    private List<UUID> sessions(int count) {
        var sessions = new ArrayList<UUID>();
        for (int i = 0; i < count; i++) {
            sessions.add(store.create(NewSession.in(Scope.LOCAL)).id().uuid());
        }
        return sessions;
    }

    private static Append at(UUID session, long version, String body) {
        return new Append(session, version, null, null, 0, List.of(bytes(body)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void awaitWaiting(int count) {
        awaitTrue(() -> ferry.waiting() == count);
    }

    private static void awaitTrue(BooleanSupplier condition) {
        var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("time").isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
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

    private long count(String sql) {
        try (var connection = DriverManager.getConnection("jdbc:" + url);
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}

package dev.skein.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.session.Exchange;
import dev.skein.session.Scope;
import dev.skein.store.AdoptingStore;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.jdbc.JdbcOptions;
import dev.skein.store.jdbc.JdbcSessionStore;
import dev.skein.testkit.ChildJvm;
import dev.skein.testkit.postgres.MortalPostgres;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/// Sessions wander through every kind of store and are the same at the end, also when the program that copies them is
/// killed.
@Timeout(180)
@DisabledIfEnvironmentVariable(
        named = "SKEIN_TEST_POSTGRES_URL",
        matches = ".+",
        disabledReason = "it has others' tables")
class StoreCopyTest {

    private static final Instant NOW = Instant.parse("2026-02-03T04:05:06.789Z");
    private static final int SESSIONS = 300;

    @TempDir
    Path directory;

    @Test
    void from_files_through_postgresql_and_sqlite_to_files_with_a_kill_on_the_way() throws Exception {
        var cli = new Cli(directory.resolve("home"));
        cli.withStore(store -> {
            StoreCommandsTest.fill((AdoptingStore) store);
            for (int i = 0; i < SESSIONS; i++) {
                store.create(NewSession.in(Scope.LOCAL)
                        .named("many-" + i)
                        .withEvents(Exchange.of(Cli.IDS, NOW, null, "prompt " + i, "answer")));
            }
        });
        var before = StoreCommandsTest.contentOf(cli.home);
        var sqlite = "sqlite:" + directory.resolve("sessions.db");
        try (var postgres = new MortalPostgres(directory.resolve("database"))) {
            killedWhenBegun(cli.home, postgres.url());

            var rest =
                    cli.run("store", "copy", "file", postgres.url(), "--json").json();
            assertThat(rest.path("unchanged").asInt()).isPositive();
            assertThat(rest.path("copied").asInt()).isPositive();
            assertThat(cli.run("store", "copy", postgres.url(), sqlite).code()).isZero();
        }
        var other = new Cli(directory.resolve("other"));
        assertThat(other.run("store", "copy", sqlite, "file").code()).isZero();

        assertThat(StoreCommandsTest.contentOf(other.home)).isEqualTo(before);
        assertThat(other.run("doctor").code()).isZero();
    }

    /// Copies in a process of its own, which ends as `kill -9` ends it once some sessions have come over.
    private static void killedWhenBegun(Path home, String postgres) throws Exception {
        try (var store = JdbcSessionStore.open(postgres, JdbcOptions.standard());
                var copying = ChildJvm.start(
                        Main.class,
                        java.util.List.of(),
                        Map.of("SKEIN_HOME", home.toString()),
                        "store",
                        "copy",
                        "file",
                        postgres)) {
            var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
            while (count(store) < 5) {
                assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
                assertThat(new CountDownLatch(1).await(2, TimeUnit.MILLISECONDS))
                        .isFalse();
            }
            copying.kill();
            assertThat(count(store)).isLessThan(SESSIONS);
        }
    }

    private static int count(AdoptingStore store) {
        return store.list(ListQuery.of(Scope.LOCAL).withLimit(500)).sessions().size();
    }
}

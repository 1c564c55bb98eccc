package dev.skein.store.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.InvalidRequest;
import dev.skein.failure.StorageFailed;
import dev.skein.store.jdbc.TestDatabases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What happens when a database does not do what it is told.
class DatabaseTest {

    private static final Limits TIGHT = new Limits(2, Duration.ofMillis(500), Duration.ofSeconds(1));

    @Test
    void whoever_finds_no_connection_free_is_told_so_in_time() throws Exception {
        var release = new CountDownLatch(1);
        var busy = new CountDownLatch(2);
        try (var database = Database.open(StoreUrl.parse(TestDatabases.postgres()), TIGHT);
                var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 2; i++) {
                var _ = pool.submit(() -> database.read("hold a connection", link -> {
                    busy.countDown();
                    return awaited(release);
                }));
            }
            busy.await();

            assertThatThrownBy(() -> database.read("ask", link -> link.first("SELECT 1", row -> row.getInt(1))))
                    .isInstanceOfSatisfying(
                            StorageFailed.class, e -> assertThat(e.code()).isEqualTo("store.unavailable"))
                    .hasMessageContaining("no connection was free");
            release.countDown();
        }
    }

    @Test
    void a_statement_that_takes_too_long_is_ended() {
        try (var database = Database.open(StoreUrl.parse(TestDatabases.postgres()), TIGHT)) {
            assertThatThrownBy(() ->
                            database.read("wait", link -> link.first("SELECT pg_sleep(60)", row -> row.getString(1))))
                    .isInstanceOf(StorageFailed.class)
                    .hasMessageContaining("took too long");

            var answer = database.read("ask", link -> link.first("SELECT 1", row -> row.getInt(1)));
            assertThat(answer).contains(1);
        }
    }

    @Test
    void a_file_that_is_no_database_is_told(@TempDir Path directory) throws Exception {
        var file = Files.writeString(directory.resolve("notes.db"), "this is not a database, whatever its name says\n");

        assertThatThrownBy(() -> Database.open(new StoreUrl.SqliteFile(file), Limits.standard()))
                .isInstanceOf(StorageFailed.class);
        assertThat(file).hasContent("this is not a database, whatever its name says");
    }

    @Test
    void a_new_file_and_all_beside_it_belong_to_their_owner_only(@TempDir Path directory) throws Exception {
        var file = directory.resolve("deeper/sessions.db");
        try (var database = Database.open(new StoreUrl.SqliteFile(file), Limits.standard())) {
            database.write("write", link -> link.update("UPDATE skein_schema SET version = version"));
            try (var files = Files.list(file.getParent())) {
                for (var each : files.toList()) {
                    assertThat(Files.getPosixFilePermissions(each))
                            .as(each.toString())
                            .isEqualTo(PosixFilePermissions.fromString("rw-------"));
                }
            }
        }
    }

    @Test
    void an_address_shows_no_password() {
        var url = StoreUrl.parse("postgresql://ann:p%40ss+word@db.example:5433/skein?sslmode=require");

        assertThat(url).hasToString("postgresql://ann@db.example:5433/skein");
        assertThat((StoreUrl.PostgresServer) url).satisfies(server -> {
            assertThat(server.password()).isEqualTo("p@ss+word");
            assertThat(server.parameters()).containsEntry("sslmode", "require");
        });
        assertThat(StoreUrl.parse("postgresql://h/d?user=u&password=secret")).hasToString("postgresql://u@h/d");
        assertThat(StoreUrl.parse("sqlite:/tmp/x.db")).isEqualTo(new StoreUrl.SqliteFile(Path.of("/tmp/x.db")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "sqlite:", "mysql://h/d", "postgresql://", "postgresql://h", "/tmp/x.db", "sqlite::memory:"})
    void what_is_no_address_is_refused(String text) {
        assertThatThrownBy(() -> StoreUrl.parse(text)).isInstanceOf(InvalidRequest.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "a\\b", "\u0000", "x\ud800y", "\ud83e\uddf5", "\\u0041", "\\"})
    void a_text_comes_back_as_it_was(String text) {
        var escaped = SqlText.escape(text);

        assertThat(SqlText.unescape(escaped)).isEqualTo(text);
        assertThat(escaped).doesNotContain("\u0000");
    }

    @Test
    void the_grams_of_a_text_contain_those_of_its_parts_whatever_their_case() {
        var all = Grams.of("The quick brown Fox, straße ÀÉ").numbers();
        for (var part : new String[] {"QUICK", "wn f", "STRAßE", "e àé", "x, s"}) {
            assertThat(all).contains(Grams.of(part).askedNumbers());
        }
        assertThat(Grams.of("ab").isEmpty()).isTrue();
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}

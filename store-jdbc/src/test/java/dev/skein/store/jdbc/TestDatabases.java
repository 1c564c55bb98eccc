package dev.skein.store.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Databases for tests: files of their own, and schemas of one real PostgreSQL server that all tests of a run
/// share.
///
/// The server is started when first asked for, or is the one that `SKEIN_TEST_POSTGRES_URL` leads to.
public final class TestDatabases {

    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final List<Path> DIRECTORIES = new ArrayList<>();
    private static @Nullable String server;

    private TestDatabases() {}

    /// The address of an empty SQLite database.
    public static synchronized String sqlite() {
        try {
            if (DIRECTORIES.isEmpty()) {
                DIRECTORIES.add(Files.createTempDirectory("skein-sqlite"));
                Runtime.getRuntime().addShutdownHook(new Thread(() -> DIRECTORIES.forEach(TestDatabases::remove)));
            }
            return "sqlite:" + DIRECTORIES.getFirst().resolve(COUNT.incrementAndGet() + ".db");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The address of an empty schema on the shared server.
    public static String postgres() {
        var url = server();
        var schema = "s" + ProcessHandle.current().pid() + "_" + COUNT.incrementAndGet();
        execute(url, "CREATE SCHEMA " + schema);
        return url + (url.contains("?") ? "&" : "?") + "currentSchema=" + schema;
    }

    static void execute(String url, String sql) {
        try (var connection = DriverManager.getConnection("jdbc:" + url);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static synchronized String server() {
        var running = server;
        if (running == null) {
            var given = System.getenv("SKEIN_TEST_POSTGRES_URL");
            running = given != null && !given.isBlank() ? given : start();
            server = running;
        }
        return running;
    }

    private static String start() {
        try {
            // What the contract is about is not whether the machine survives.
            var postgres = EmbeddedPostgres.builder()
                    .setServerConfig("fsync", "off")
                    .setServerConfig("synchronous_commit", "off")
                    .setServerConfig("max_connections", "200")
                    .setPGStartupWait(Duration.ofSeconds(60))
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(postgres)));
            return "postgresql://localhost:" + postgres.getPort() + "/postgres?user=postgres";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void close(EmbeddedPostgres postgres) {
        try {
            postgres.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void remove(Path directory) {
        try (var files = Files.walk(directory)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.skein.cli.serve;

import dev.skein.store.jdbc.JdbcOptions;
import dev.skein.store.jdbc.JdbcSessionStore;
import dev.skein.testkit.postgres.MortalPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// Several real servers, each a process with a home of its own, on one real PostgreSQL. For use by many threads.
final class Nodes implements AutoCloseable {

    static final Duration LEASE = Duration.ofSeconds(2);

    private final Path directory;
    private final AtomicReferenceArray<ServeProcess> nodes;
    private final List<Relay> relays = new ArrayList<>();
    final MortalPostgres database;
    final JdbcSessionStore store;

    Nodes(Path directory, int count) throws IOException {
        this.directory = directory;
        this.database = new MortalPostgres(Files.createDirectories(directory.resolve("database")));
        this.nodes = new AtomicReferenceArray<>(count);
        var starting = new ArrayList<CompletableFuture<Void>>();
        for (int i = 0; i < count; i++) {
            var number = i;
            var home = Files.createDirectories(directory.resolve("node" + number));
            var relay = new Relay(database.port());
            relays.add(relay);
            Files.writeString(
                    home.resolve("config.yaml"), """
            store: %s
            model: offline:skein
            database: {lease_seconds: %d}
            permissions: {allow: [shell]}
            server: {requests_per_second: 100000, requests_burst: 100000, at_once_each: 4096}
            """.formatted(database.urlAt(relay.port()), LEASE.toSeconds()));
            starting.add(CompletableFuture.runAsync(() -> start(number), Thread::startVirtualThread));
        }
        starting.forEach(CompletableFuture::join);
        this.store = JdbcSessionStore.open(database.url(), JdbcOptions.standard());
    }

    int count() {
        return nodes.length();
    }

    ServeProcess get(int number) {
        return nodes.get(Math.floorMod(number, nodes.length()));
    }

    /// What is between this node and the database.
    Relay relay(int number) {
        return relays.get(number);
    }

    List<ServeProcess> all() {
        var all = new ArrayList<ServeProcess>();
        for (int i = 0; i < nodes.length(); i++) {
            all.add(nodes.get(i));
        }
        return all;
    }

    void start(int number) {
        try {
            nodes.set(number, new ServeProcess(directory.resolve("node" + number)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Starts those again that ended.
    void revive() {
        for (int i = 0; i < nodes.length(); i++) {
            if (!nodes.get(i).isAlive()) {
                start(i);
            }
        }
    }

    @Override
    public void close() throws IOException {
        all().forEach(ServeProcess::close);
        store.close();
        for (var relay : relays) {
            relay.close();
        }
        database.close();
    }
}

package dev.skein.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.failure.StorageFailed;
import dev.skein.session.Scope;
import dev.skein.session.SessionEvent.SessionDescribed;
import dev.skein.session.SessionId;
import dev.skein.store.Batch;
import dev.skein.store.NewSession;
import dev.skein.store.jdbc.sql.Limits;
import dev.skein.testkit.postgres.MortalPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/// PostgreSQL dies under its writers.
@DisabledIfEnvironmentVariable(named = "SKEIN_TEST_POSTGRES_URL", matches = ".+", disabledReason = "not ours to kill")
class DatabaseCrashTest {

    private static final int KILLS = Integer.getInteger("skein.kills", 3);
    private static final int NODES = 2;
    private static final int WRITERS = 4;
    private static final JdbcOptions OPTIONS = JdbcOptions.standard()
            .withLease(Duration.ofSeconds(5), Duration.ofSeconds(1))
            .withLimits(new Limits(6, Duration.ofSeconds(2), Duration.ofSeconds(20)));

    @TempDir
    Path directory;

    private final AtomicBoolean stopping = new AtomicBoolean();
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();

    /// What a writer was told: the value and where it is.
    private record Ack(String value, long seq) {}

    @Test
    void what_was_acknowledged_is_there_once_however_often_the_database_dies() throws Exception {
        var acks = new HashMap<SessionId, ConcurrentLinkedQueue<Ack>>();
        try (var postgres = new MortalPostgres(directory)) {
            var nodes = new ArrayList<JdbcSessionStore>();
            for (int i = 0; i < NODES; i++) {
                nodes.add(JdbcSessionStore.open(postgres.url(), OPTIONS));
            }
            for (int i = 0; i < WRITERS; i++) {
                acks.put(nodes.getFirst().create(NewSession.in(Scope.LOCAL)).id(), new ConcurrentLinkedQueue<>());
            }
            try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
                var writers = new ArrayList<Future<?>>();
                for (var node : nodes) {
                    acks.forEach((id, told) ->
                            writers.add(pool.submit(() -> write(node, "n" + nodes.indexOf(node), id, told))));
                }
                for (int round = 0; round < KILLS; round++) {
                    awaitMore(40);
                    postgres.kill();
                    postgres.restart();
                }
                awaitMore(40);
                stopping.set(true);
                for (var writer : writers) {
                    writer.get(120, TimeUnit.SECONDS);
                }
            }
            for (var node : nodes) {
                acks.forEach((id, told) -> requireAll(node, id, told));
            }
            nodes.forEach(JdbcSessionStore::close);
        }
        assertThat(failures).as("writes that the crashes hit").hasPositiveValue();
    }

    /// Appends, and whenever the database fails does the same again with the same key, until it is told how it
    /// went.
    private Void write(JdbcSessionStore node, String name, SessionId id, ConcurrentLinkedQueue<Ack> told) {
        for (int i = 0; !stopping.get(); i++) {
            var value = name + "-" + i;
            var batch = List.of(new SessionDescribed(java.time.Clock.systemUTC().instant(), value));
            var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(110);
            for (var done = false; !done; ) {
                try {
                    var handle = node.open(Scope.LOCAL, id);
                    try {
                        var appended = handle.append(
                                Batch.at(handle.state().version(), batch).withKey(value));
                        told.add(new Ack(value, appended.first()));
                        acknowledged.incrementAndGet();
                        done = true;
                    } catch (dev.skein.failure.Concurrent _) {
                        // The other node was quicker.
                    }
                } catch (StorageFailed e) {
                    failures.incrementAndGet();
                    if (System.nanoTime() > deadline) {
                        throw e;
                    }
                }
            }
        }
        return null;
    }

    private static void requireAll(JdbcSessionStore node, SessionId id, Iterable<Ack> told) {
        var stored = new ArrayList<String>();
        var positions = new HashMap<String, Long>();
        node.open(Scope.LOCAL, id).read(2, entry -> {
            var value = entry.event() instanceof SessionDescribed(var _, var text) ? text : "?";
            stored.add(value);
            positions.put(value, entry.seq());
        });
        assertThat(stored).doesNotHaveDuplicates();
        Map<String, Long> lost = new HashMap<>();
        for (var ack : told) {
            if (!Long.valueOf(ack.seq()).equals(positions.get(ack.value()))) {
                lost.put(ack.value(), ack.seq());
            }
        }
        assertThat(lost).as("acknowledged and not there").isEmpty();
    }

    /// Waits until so many more appends were acknowledged: the database is up, and so are the writers.
    private void awaitMore(int count) throws InterruptedException {
        var wanted = acknowledged.get() + count;
        var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        var never = new CountDownLatch(1);
        while (acknowledged.get() < wanted) {
            assertThat(System.nanoTime()).as("the writers recover").isLessThan(deadline);
            assertThat(never.await(5, TimeUnit.MILLISECONDS)).isFalse();
        }
    }
}

package dev.skein.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// Three servers, their network and their database are killed, stopped and cut off at random under many clients. Takes
/// as long as is asked for: `-Dskein.nodes.rounds=100` with whole turns, `-Dskein.nodes.operations=1000000` with the
/// cheapest of changes.
@Timeout(7_200)
class NemesisTest {

    private static final int ROUNDS = Integer.getInteger("skein.nodes.rounds", 0);
    private static final long OPERATIONS = Long.getLong("skein.nodes.operations", 0);
    private static final int BETWEEN = Integer.getInteger("skein.nodes.between", 10_000);
    private static final int CLIENTS = Integer.getInteger("skein.nodes.clients", 30);
    private static final int COUNT = Integer.getInteger("skein.nodes.count", 3);
    private static final String ONLY = System.getProperty("skein.nodes.only", "");

    @TempDir
    Path directory;

    private enum Deed {
        KILL_NODE,
        STOP_NODE,
        CUT_OFF_NODE,
        KILL_DATABASE
    }

    @Test
    @EnabledIfSystemProperty(named = "skein.nodes.rounds", matches = "\\d+")
    void whatever_happens_no_acknowledged_turn_is_lost_repeated_or_mixed(TestReporter reporter) throws Exception {
        var random = new Random(Long.getLong("skein.nodes.seed", 7));
        var deeds = new EnumMap<Deed, Integer>(Deed.class);
        var slowest = 0L;
        try (var nodes = new Nodes(directory, COUNT);
                var talkers = new Talkers(nodes, 10)) {
            talkers.start(CLIENTS, Integer.MAX_VALUE, 5);
            for (int round = 0; round < ROUNDS; round++) {
                talkers.awaitMore(2 * CLIENTS);
                commitOne(deeds, nodes, random);
                var mended = System.nanoTime();
                talkers.awaitMore(1);
                slowest = Math.max(slowest, System.nanoTime() - mended);
            }
            talkers.awaitMore(2 * CLIENTS);
            talkers.stop().judge();
            report(reporter, deeds, talkers, slowest);
            requireTyped(talkers.failures.keySet());
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "skein.nodes.operations", matches = "\\d+")
    void whatever_happens_there_is_one_order_that_explains_what_everybody_was_told(TestReporter reporter)
            throws Exception {
        var random = new Random(Long.getLong("skein.nodes.seed", 7));
        var deeds = new EnumMap<Deed, Integer>(Deed.class);
        try (var nodes = new Nodes(directory, COUNT);
                var changers = new Changers(nodes, 10, OPERATIONS)) {
            changers.start(CLIENTS, 5);
            while (changers.areAtWork()) {
                changers.awaitMore(BETWEEN);
                commitOne(deeds, nodes, random);
            }
            changers.await().judge();
            reporter.publishEntry(Map.of(
                    "deeds", deeds.toString(),
                    "operations", String.valueOf(changers.ended()),
                    "failures", changers.failures.toString()));
            requireTyped(changers.failures.keySet());
        }
    }

    /// Whatever goes wrong has a name, and is told as something that passes.
    private static void requireTyped(Set<String> failures) {
        assertThat(failures).noneMatch(how -> how.startsWith("5") && !how.startsWith("503 "));
    }

    private static void report(TestReporter reporter, Map<Deed, Integer> deeds, Talkers talkers, long slowest) {
        reporter.publishEntry(Map.of(
                "deeds", deeds.toString(),
                "acknowledged turns", String.valueOf(talkers.answered()),
                "reads", String.valueOf(talkers.reads()),
                "failures", talkers.failures.toString(),
                "longest until the next answer", TimeUnit.NANOSECONDS.toMillis(slowest) + " ms"));
    }

    private static void commitOne(Map<Deed, Integer> deeds, Nodes nodes, Random random) throws Exception {
        var deed = ONLY.isEmpty() ? Deed.values()[random.nextInt(Deed.values().length)] : Deed.valueOf(ONLY);
        deeds.merge(deed, 1, Integer::sum);
        commit(deed, nodes, random.nextInt(COUNT));
    }

    private static void commit(Deed deed, Nodes nodes, int number) throws Exception {
        switch (deed) {
            case KILL_NODE -> {
                nodes.get(number).kill();
                nodes.start(number);
            }
            case STOP_NODE -> {
                nodes.get(number).signal("STOP");
                beyondALease();
                nodes.get(number).signal("CONT");
            }
            case CUT_OFF_NODE -> {
                nodes.relay(number).cut();
                beyondALease();
                nodes.relay(number).mend();
            }
            case KILL_DATABASE -> restart(nodes);
        }
    }

    private static void restart(Nodes nodes) throws IOException {
        nodes.database.kill();
        nodes.database.restart();
    }

    private static void beyondALease() throws InterruptedException {
        assertThat(new CountDownLatch(1).await(Nodes.LEASE.toMillis() * 3 / 2, TimeUnit.MILLISECONDS))
                .isFalse();
    }
}

package dev.skein.bench;

import dev.skein.bench.Report.Bound;
import dev.skein.bench.Report.Unit;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Streams that follow sessions: what do they cost when nothing happens, and do all hear it when something does?
final class TailsBench implements Bench {

    private static final int SEPARATE = 2_000;
    private static final int WARM_UP = 500;
    private static final int TOGETHER = Integer.getInteger("skein.bench.tails", 10_000);
    private static final int BROADCASTS = 5;
    private static final Duration IDLE = Duration.ofSeconds(20);
    private static final int ANSWER = 20;

    /// What is heard of a turn: its start, its answer, its end.
    private static final int HEARD = 3;

    @Override
    public String name() {
        return "tails";
    }

    @Override
    public String question() {
        return "streams that follow sessions: idle ones, and ten thousand that hear the same";
    }

    @Override
    public void run(Lab lab, Report report) throws IOException {
        try (var server = ServedProcess.start(lab.newDirectory())) {
            separate(server, report);
        }
        try (var server = ServedProcess.start(lab.newDirectory())) {
            broadcast(server, report);
        }
    }

    private static void separate(ServedProcess server, Report report) throws IOException {
        var sessions = server.sessions(SEPARATE);
        warmUp(server, sessions.subList(0, WARM_UP));
        var before = server.used();
        try (var tails = Tails.open(server, sessions)) {
            pause(Duration.ofSeconds(5));
            var used = server.used();
            var cpu = server.cpu();
            pause(IDLE);
            var perSecond = (server.cpu() - cpu) / (double) IDLE.toSeconds();
            report.measured(
                    "CPU in a second of %,d idle streams, each of its own session".formatted(SEPARATE),
                    Unit.NANOS,
                    perSecond,
                    Bound.atMost(100e6, Unit.NANOS));
            report.measured(
                    "memory of one of them",
                    Unit.BYTES,
                    (used - before) / (double) SEPARATE,
                    Bound.atMost(100_000, Unit.BYTES));
            tails.requireQuiet();
        }
    }

    private static void broadcast(ServedProcess server, Report report) throws IOException {
        var session = server.sessions(1).getFirst();
        warmUp(server, Collections.nCopies(WARM_UP, session));
        var before = server.used();
        try (var tails = Tails.open(server, Collections.nCopies(TOGETHER, session))) {
            var heard = 0;
            var took = new ConcurrentLinkedQueue<Long>();
            for (int i = 0; i < BROADCASTS; i++) {
                tails.expect(HEARD);
                var start = System.nanoTime();
                server.said(session, ANSWER);
                heard += tails.await(Duration.ofMinutes(1));
                if (i > 0) {
                    tails.times().forEach(at -> took.add(at - start));
                }
            }
            report.compared(
                    "events heard by %,d who follow one session (control: told)".formatted(TOGETHER),
                    Unit.COUNT,
                    heard,
                    (double) TOGETHER * BROADCASTS * HEARD,
                    Bound.atLeast(1));
            report.measured("until 99 of 100 have heard it", Unit.NANOS, ServerBench.percentile(took, 0.99));
            pause(Duration.ofSeconds(2));
            var resident = server.resident();
            report.measured(
                    "resident memory of the server with them",
                    Unit.BYTES,
                    (double) resident,
                    Bound.atMost(300e6, Unit.BYTES));
            report.measured(
                    "the same for each of them",
                    Unit.BYTES,
                    resident / (double) TOGETHER,
                    Bound.atMost(100_000, Unit.BYTES));
            report.measured("memory of one of them", Unit.BYTES, (server.used() - before) / (double) TOGETHER);
        }
    }

    /// What the server takes to open its first streams is not what one of them costs.
    private static void warmUp(ServedProcess server, List<String> sessions) throws IOException {
        try (var _ = Tails.open(server, sessions)) {
            pause(Duration.ofSeconds(3));
        }
        pause(Duration.ofSeconds(2));
    }

    static void pause(Duration time) throws IOException {
        try {
            var _ = new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}

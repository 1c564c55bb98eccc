package dev.skein.bench;

import dev.skein.bench.Report.Bound;
import dev.skein.bench.Report.Unit;
import dev.skein.session.SessionEvent;
import dev.skein.store.Batch;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.jdbc.JdbcOptions;
import dev.skein.store.jdbc.JdbcSessionStore;
import dev.skein.store.jdbc.sql.Limits;
import dev.skein.testkit.ChildJvm;
import dev.skein.wire.EventCodec;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// What does a turn on PostgreSQL cost beside the least that a program could do, and does it stay so? Beside it,
/// what others do: save the whole conversation at every turn.
final class JdbcBench implements Bench {

    private static final List<Integer> WRITERS = List.of(1, 16, 64);
    private static final List<Integer> SIZES = List.of(10, 100_000);
    private static final List<Integer> SAVED = List.of(10, 1_000, 10_000);
    private static final Bound TURN_MOST = Bound.atMost(20e6, Unit.NANOS);

    /// Many short blocks in turn: a disk that is slower for some seconds is slower for both.
    private static final Duration BLOCK = Duration.ofMillis(500);

    private static final int BLOCKS = 15;
    private static final int BLOCKS_UNREAD = 3;
    private static final int ROUNDS = 300;
    private static final int CONNECTIONS = 16;
    private static final int NODES = 3;
    private static final int NODE_ROUNDS = 3;
    private static final Duration NODE_ROUND = Duration.ofMillis(1_500);

    /// What is derived from sessions is written when they rest. Here they never do, so that it disturbs neither what is
    /// measured nor its control; a row of its own tells what it costs.
    private static final Duration NEVER = Duration.ofHours(1);

    @Override
    public String name() {
        return "jdbc";
    }

    @Override
    public String question() {
        return "turns on PostgreSQL";
    }

    @Override
    public void run(Lab lab, Report report) throws IOException {
        try (var server = EmbeddedPostgres.builder()
                .setDataDirectory(lab.newDirectory())
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("shared_buffers", "256MB")
                .start()) {
            var url = "postgresql://localhost:" + server.getPort() + "/postgres?user=postgres";
            var options = JdbcOptions.standard()
                    .withLimits(new Limits(CONNECTIONS, Duration.ofSeconds(30), Duration.ofSeconds(60)));
            try (var store = JdbcSessionStore.open(url, options.withRest(NEVER));
                    var deriving = JdbcSessionStore.open(url, options);
                    var plain = new PlainInserts(url, CONNECTIONS)) {
                // Once for nothing: what is measured first would pay for what the compiler learns.
                turns(lab, Report.unread(), store, plain, WRITERS.getLast());
                for (var writers : WRITERS) {
                    turns(lab, report, store, plain, writers);
                }
                deriving(lab, report, store, deriving);
                nodes(lab, report, url);
                var appended = growth(lab, report, store);
                wholeSaves(report, plain, appended);
            } catch (SQLException e) {
                throw new IOException(e);
            }
        }
        sqlite(lab, report);
    }

    /// What any program has to do to keep a turn.
    private static List<byte[]> bodies(Lab lab) {
        return lab.turn(null, 1).stream()
                .map(event -> EventCodec.encode(event, null))
                .toList();
    }

    private static void turns(Lab lab, Report report, JdbcSessionStore store, PlainInserts plain, int writers)
            throws IOException {
        var sessions = sessions(store, writers);
        var ours = new ConcurrentLinkedQueue<Long>();
        var control = new ConcurrentLinkedQueue<Long>();
        var samples = Samples.interleaved(
                BLOCKS_UNREAD,
                BLOCKS,
                List.of(
                        () -> crowd(writers, ours, number -> takeTurn(lab, sessions.get(number))),
                        () -> crowd(writers, control, number -> plain.insert(number, bodies(lab)))));
        report.compared(
                "turns on PostgreSQL, %d writer%s (control: a bare INSERT)".formatted(writers, writers == 1 ? "" : "s"),
                Unit.PER_SECOND,
                samples.get(0).median() / 3_600,
                samples.get(1).median() / 3_600,
                Bound.atLeast(0.7));
        if (writers == WRITERS.get(1)) {
            report.measured("99th percentile of one", Unit.NANOS, ServerBench.percentile(ours, 0.99), TURN_MOST);
            report.measured("99th percentile of a bare INSERT", Unit.NANOS, ServerBench.percentile(control, 0.99));
        }
    }

    private static long crowd(int size, Queue<Long> took, Crowd.Task task) throws IOException {
        return Crowd.perHour(
                size,
                BLOCK,
                number -> took.add(Samples.timed(() -> task.run(number)).measure()));
    }

    /// With searching and opening kept up to date meanwhile.
    private static void deriving(Lab lab, Report report, JdbcSessionStore store, JdbcSessionStore deriving)
            throws IOException {
        var samples = new ArrayList<Samples.Probe>();
        for (var each : List.of(deriving, store)) {
            var sessions = sessions(each, WRITERS.get(1));
            samples.add(() -> Crowd.perHour(sessions.size(), BLOCK, number -> takeTurn(lab, sessions.get(number))));
        }
        var measured = Samples.interleaved(BLOCKS_UNREAD, BLOCKS, samples);
        report.compared(
                "the same, 16 writers, while indexes are written (control: not yet)",
                Unit.PER_SECOND,
                measured.get(0).median() / 3_600,
                measured.get(1).median() / 3_600);
    }

    /// Programs of their own on one database, 16 writers each.
    private static void nodes(Lab lab, Report report, String url) throws IOException {
        var children = new ArrayList<ChildJvm>();
        try {
            var one = 0.0;
            for (int count = 1; count <= NODES; count++) {
                var child = ChildJvm.start(
                        NodeProgram.class, url, lab.newDirectory(), WRITERS.get(1), NODE_ROUND.toMillis());
                children.add(child);
                if (!"ready".equals(child.line())) {
                    throw new IOException("a node did not start");
                }
                var best = 0.0;
                for (int round = 0; round <= NODE_ROUNDS; round++) {
                    best = Math.max(best, together(children));
                }
                one = count == 1 ? best : one;
                report.compared(
                        "turns of %d program%s with 16 writers each (control: of 1)"
                                .formatted(count, count == 1 ? "" : "s"),
                        Unit.PER_SECOND,
                        best,
                        one);
            }
        } finally {
            children.forEach(ChildJvm::close);
        }
    }

    private static double together(List<ChildJvm> children) throws IOException {
        for (var child : children) {
            child.tell("go");
        }
        var sum = 0.0;
        for (var child : children) {
            sum += Double.parseDouble(String.valueOf(child.line())) / 3_600;
        }
        return sum;
    }

    private static List<SessionHandle> sessions(JdbcSessionStore store, int count) {
        var sessions = new ArrayList<SessionHandle>();
        for (int i = 0; i < count; i++) {
            sessions.add(store.create(NewSession.in(Lab.SCOPE)));
        }
        return sessions;
    }

    private static double growth(Lab lab, Report report, JdbcSessionStore store) throws IOException {
        var handles = new ArrayList<SessionHandle>();
        for (var size : SIZES) {
            var handle = store.create(NewSession.in(Lab.SCOPE));
            fill(lab, handle, size / 2);
            handles.add(handle);
        }
        var samples = Samples.interleaved(
                ROUNDS / 3,
                ROUNDS,
                handles.stream()
                        .map(handle -> Samples.timed(() -> takeTurn(lab, handle)))
                        .toList());
        var least = samples.getFirst().median();
        report.compared(
                "a turn on PostgreSQL at 100,000 messages (control: at 10)",
                Unit.NANOS,
                samples.getLast().median(),
                least,
                Bound.atMost(1.3));
        var guarded = Samples.interleaved(
                20,
                ROUNDS,
                handles.stream()
                        .map(handle -> Samples.timed(() -> lab.takeTurn(handle)))
                        .toList());
        report.compared(
                "the same with lock and unlock around it",
                Unit.NANOS,
                guarded.getLast().median(),
                guarded.getFirst().median());
        return least;
    }

    private static void wholeSaves(Report report, PlainInserts plain, double appended) throws IOException {
        for (var size : SAVED) {
            var peer = new WholeSaves(plain, size);
            var spring = new SpringMemory(plain, plain.source(), size);
            var saves = Samples.interleaved(
                    3,
                    size > 1_000 ? 10 : 50,
                    List.of(Samples.timed(peer::saveState), Samples.timed(spring::takeTurn)));
            report.compared(
                    "saving the whole state at %,d messages instead (control: append)".formatted(size),
                    Unit.NANOS,
                    saves.getFirst().median(),
                    appended);
            report.compared(
                    "Spring AI's JDBC memory at %,d messages instead (control: append)".formatted(size),
                    Unit.NANOS,
                    saves.getLast().median(),
                    appended);
        }
    }

    private static void sqlite(Lab lab, Report report) throws IOException {
        var url = "sqlite:" + lab.newDirectory().resolve("bench.db");
        try (var store = JdbcSessionStore.open(url, JdbcOptions.standard())) {
            var handles = new ArrayList<SessionHandle>();
            for (var size : SIZES) {
                var handle = store.create(NewSession.in(Lab.SCOPE));
                fill(lab, handle, size / 2);
                handles.add(handle);
            }
            var samples = Samples.interleaved(
                    50,
                    ROUNDS,
                    handles.stream()
                            .map(handle -> Samples.timed(() -> takeTurn(lab, handle)))
                            .toList());
            report.compared(
                    "a turn on SQLite at 100,000 messages (control: at 10)",
                    Unit.NANOS,
                    samples.getLast().median(),
                    samples.getFirst().median(),
                    Bound.atMost(1.3));
        }
    }

    /// A turn of one append, as a request has it that keeps what was said.
    private static void takeTurn(Lab lab, SessionHandle session) {
        session.append(lab.turn(null, 1));
    }

    private static void fill(Lab lab, SessionHandle session, int turns) {
        var events = new ArrayList<SessionEvent>();
        for (int i = 0; i < turns; i++) {
            events.addAll(lab.turn(null, i));
            if (events.size() > 2_000 || i == turns - 1) {
                session.append(Batch.at(session.state().version(), events));
                events.clear();
            }
        }
    }
}

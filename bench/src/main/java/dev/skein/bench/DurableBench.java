package dev.skein.bench;

import dev.skein.bench.Report.Bound;
import dev.skein.bench.Report.Unit;
import dev.skein.store.NewSession;
import dev.skein.store.SessionGuard;
import dev.skein.store.SessionHandle;
import dev.skein.store.file.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// How near does a durable append come to the disk's own speed, with one writer and with sixteen, and what do
/// taking and giving back the lock around each turn add to that?
final class DurableBench implements Bench {

    private static final int WRITERS = 16;
    private static final int TURNS = 160;
    private static final int WARM_UP = 75;
    private static final int ROUNDS = 50;
    private static final int SINGLES_WARM_UP = 4_000;
    private static final int SINGLES = 4_000;

    @Override
    public String name() {
        return "durable";
    }

    @Override
    public String question() {
        return "durable appends and turns beside raw writes and syncs";
    }

    @Override
    public void run(Lab lab, Report report) throws IOException {
        var home = lab.newDirectory();
        var sessions = new ArrayList<SessionHandle>();
        var held = new ArrayList<SessionHandle>();
        var guards = new ArrayList<SessionGuard>();
        var raw = new ArrayList<RawFile>();
        try (var store = Lab.open(home, Durability.ALWAYS);
                var threads = Executors.newFixedThreadPool(WRITERS);
                var virtual = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < WRITERS; i++) {
                sessions.add(store.create(NewSession.in(Lab.SCOPE)));
                lab.takeTurn(sessions.getLast());
                held.add(store.create(NewSession.in(Lab.SCOPE)));
                guards.add(held.getLast().lock(Duration.ofMinutes(1)));
            }
            var journal = Lab.journal(home, sessions.getFirst().id());
            var before = Files.size(journal);
            lab.takeTurn(sessions.getFirst());
            var length = (int) (Files.size(journal) - before);
            var rawHome = lab.newDirectory();
            for (int i = 0; i < WRITERS; i++) {
                raw.add(RawFile.create(rawHome.resolve("raw-" + i), length));
            }
            measureOne(lab, report, sessions.getFirst(), guards.getFirst(), raw.getFirst());
            measureMany(lab, report, sessions, guards, raw, threads, virtual);
            guards.forEach(SessionGuard::close);
            held.forEach(SessionHandle::close);
            sessions.forEach(SessionHandle::close);
            for (var file : raw) {
                file.close();
            }
        }
    }

    /// One by one: when others use the disk, it changes faster than a block of turns takes.
    private static void measureOne(Lab lab, Report report, SessionHandle session, SessionGuard guard, RawFile raw)
            throws IOException {
        var singles = Samples.interleaved(
                SINGLES_WARM_UP,
                SINGLES,
                List.of(
                        Samples.timed(() -> lab.appendTurn(guard)),
                        Samples.timed(() -> lab.takeTurn(session)),
                        Samples.timed(raw::append)));
        var rates = singles.stream().map(s -> 1e9 / s.median()).toList();
        report.compared(
                "durable appends, 1 writer (control: raw write + fdatasync)",
                Unit.PER_SECOND,
                rates.get(0),
                rates.get(2),
                Bound.atLeast(0.5));
        report.compared(
                "the same with lock and unlock around each", Unit.PER_SECOND, rates.get(1), rates.get(2));
    }

    private static void measureMany(
            Lab lab,
            Report report,
            List<SessionHandle> sessions,
            List<SessionGuard> guards,
            List<RawFile> raw,
            ExecutorService threads,
            ExecutorService virtual)
            throws IOException {
        var one = sessions.getFirst();
        List<Samples.Work> appends =
                guards.stream().<Samples.Work>map(g -> () -> lab.appendTurn(g)).toList();
        List<Samples.Work> turns =
                sessions.stream().<Samples.Work>map(s -> () -> lab.takeTurn(s)).toList();
        List<Samples.Work> raws =
                raw.stream().<Samples.Work>map(file -> file::append).toList();
        var samples = Samples.interleaved(
                WARM_UP,
                ROUNDS,
                List.of(
                        Samples.timed(() -> together(threads, appends)),
                        Samples.timed(() -> together(threads, turns)),
                        Samples.timed(() -> together(virtual, turns)),
                        Samples.timed(() -> together(threads, raws)),
                        Samples.timed(() -> repeat(TURNS, () -> lab.takeTurn(one))),
                        Samples.timed(() -> together(threads, Collections.nCopies(WRITERS, () -> lab.takeTurn(one))))));
        var rates = samples.stream().map(s -> TURNS * 1e9 / s.median()).toList();
        report.compared(
                "durable appends, 16 writers, 16 sessions (control: 16 raw files)",
                Unit.PER_SECOND,
                rates.get(0),
                rates.get(3),
                Bound.atLeast(0.8));
        report.compared("the same with lock and unlock around each", Unit.PER_SECOND, rates.get(1), rates.get(3));
        report.compared("and on virtual threads", Unit.PER_SECOND, rates.get(2), rates.get(3));
        report.compared(
                "durable turns, 16 writers, one session (control: 1 writer)",
                Unit.PER_SECOND,
                rates.get(5),
                rates.get(4),
                Bound.atLeast(0.7));
    }

    /// Each work on a thread of its own, [#TURNS] times in all.
    private static void together(ExecutorService threads, List<Samples.Work> works) throws IOException {
        var running = new ArrayList<Future<?>>();
        for (var work : works) {
            running.add(threads.submit(() -> {
                repeat(TURNS / WRITERS, work);
                return true;
            }));
        }
        for (var one : running) {
            try {
                one.get();
            } catch (InterruptedException | ExecutionException e) {
                throw new IOException("a writer failed", e);
            }
        }
    }

    private static void repeat(int times, Samples.Work work) throws IOException {
        for (int i = 0; i < times; i++) {
            work.run();
        }
    }
}

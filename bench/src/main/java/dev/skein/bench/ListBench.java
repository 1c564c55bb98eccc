package dev.skein.bench;

import dev.skein.bench.Report.Bound;
import dev.skein.bench.Report.Unit;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.SessionPage;
import dev.skein.store.SessionStore;
import dev.skein.store.file.Durability;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// What does listing cost once the index is there, and does it look into journals?
final class ListBench implements Bench {

    private static final int SESSIONS = 10_000;
    private static final int MAKERS = 8;
    private static final int WARM_UP = 15;
    private static final int ROUNDS = 21;
    private static final ListQuery QUERY = ListQuery.of(Lab.SCOPE).withLimit(SESSIONS + 1);

    @Override
    public String name() {
        return "list";
    }

    @Override
    public String question() {
        return "listing 10,000 sessions";
    }

    @Override
    public void run(Lab lab, Report report) throws IOException {
        var home = lab.newDirectory();
        make(lab, home);
        SessionPage indexed;
        try (var store = Lab.open(home, Durability.ALWAYS)) {
            indexed = store.list(QUERY);
        }
        require(
                indexed.sessions().size() == SESSIONS,
                "only " + indexed.sessions().size() + " sessions listed");
        try (var resident = Lab.open(home, Durability.ALWAYS)) {
            var samples = Samples.interleaved(WARM_UP, ROUNDS, List.of(() -> cpuOfListing(resident), () -> {
                try (var fresh = Lab.open(home, Durability.ALWAYS)) {
                    return cpuOfListing(fresh);
                }
            }));
            report.measured(
                    "CPU to list 10,000 sessions, index in memory",
                    Unit.NANOS,
                    samples.getFirst().median(),
                    Bound.atMost(150e6, Unit.NANOS));
            report.measured(
                    "CPU to list 10,000 sessions, index on disk",
                    Unit.NANOS,
                    samples.getLast().median(),
                    Bound.atMost(150e6, Unit.NANOS));
        }
        report.compared(
                "sessions listed as before, all journals overwritten with junk (control: before)",
                Unit.COUNT,
                listedWithJunk(home, indexed),
                SESSIONS,
                Bound.atLeast(1));
    }

    private static long cpuOfListing(SessionStore store) {
        var threads = ManagementFactory.getThreadMXBean();
        var start = threads.getCurrentThreadCpuTime();
        var listed = store.list(QUERY).sessions().size();
        var took = threads.getCurrentThreadCpuTime() - start;
        require(listed == SESSIONS, "only " + listed + " sessions listed");
        return took;
    }

    /// A listing that read any journal would now find bytes that are no session.
    private static int listedWithJunk(Path home, SessionPage before) throws IOException {
        for (var summary : before.sessions()) {
            var id = summary.id();
            if (id != null) {
                var journal = Lab.journal(home, id);
                var junk = new byte[(int) Files.size(journal)];
                Arrays.fill(junk, (byte) '#');
                Files.write(journal, junk);
            }
        }
        try (var store = Lab.open(home, Durability.ALWAYS)) {
            var after = store.list(QUERY);
            var same = new ArrayList<>(after.sessions());
            same.retainAll(new HashSet<>(before.sessions()));
            return after.problems().isEmpty() ? same.size() : 0;
        }
    }

    private static void make(Lab lab, Path home) throws IOException {
        try (var store = Lab.open(home, Durability.NEVER);
                var makers = Executors.newFixedThreadPool(MAKERS)) {
            var first = lab.turn(null, 0);
            var session = NewSession.in(Lab.SCOPE).withEvents(first);
            var running = new ArrayList<Future<?>>();
            for (int i = 0; i < SESSIONS; i++) {
                running.add(makers.submit(() -> store.create(session).close()));
            }
            for (var one : running) {
                one.get();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IOException("a session could not be made", e);
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}

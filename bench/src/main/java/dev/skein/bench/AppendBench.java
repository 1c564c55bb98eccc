package dev.skein.bench;

import dev.skein.bench.Report.Bound;
import dev.skein.bench.Report.Unit;
import dev.skein.session.SessionId;
import dev.skein.store.SessionHandle;
import dev.skein.store.file.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Does a turn cost the same at message 10 and at message 100,000, in time and in bytes? Beside it, what most others
/// do: write the whole history again.
final class AppendBench implements Bench {

    private static final List<Integer> SIZES = List.of(10, 1_000, 10_000, 100_000);
    private static final int WARM_UP = 300;
    private static final int ROUNDS = 600;
    private static final int REWRITES = 5;

    @Override
    public String name() {
        return "append";
    }

    @Override
    public String question() {
        return "appending a turn to short and long sessions";
    }

    @Override
    public void run(Lab lab, Report report) throws IOException {
        var home = lab.newDirectory();
        var ids = lab.prepare(home, SIZES);
        var before = sizes(home, ids);
        List<Samples> appends;
        List<Samples> rewrites;
        var handles = new ArrayList<SessionHandle>();
        try (var store = Lab.open(home, Durability.ALWAYS)) {
            ids.forEach(id -> handles.add(store.open(Lab.SCOPE, id)));
            appends = Samples.interleaved(
                    WARM_UP,
                    ROUNDS,
                    handles.stream()
                            .map(handle -> Samples.timed(() -> lab.takeTurn(handle)))
                            .toList());
            handles.forEach(SessionHandle::close);
        }
        var after = sizes(home, ids);
        // Afterwards, not in turn: a large rewrite slows down every sync that follows it.
        var others = new ArrayList<Samples.Probe>();
        for (var size : SIZES) {
            var peer = new RewritingPeer(lab.newDirectory(), size);
            others.add(Samples.timed(peer::takeTurn));
        }
        rewrites = Samples.interleaved(2, REWRITES, others);
        report(report, appends, rewrites, before, after);
    }

    private static void report(
            Report report, List<Samples> appends, List<Samples> rewrites, List<Long> before, List<Long> after) {
        var least = appends.getFirst().median();
        for (int i = 1; i < SIZES.size(); i++) {
            report.compared(
                    "append a turn at %,d messages (control: at %d)".formatted(SIZES.get(i), SIZES.getFirst()),
                    Unit.NANOS,
                    appends.get(i).median(),
                    least,
                    Bound.atMost(1.3));
        }
        var last = SIZES.size() - 1;
        report.compared(
                "bytes of a turn at %,d messages (control: at %d)".formatted(SIZES.get(last), SIZES.getFirst()),
                Unit.BYTES,
                (double) (after.get(last) - before.get(last)) / (WARM_UP + ROUNDS),
                (double) (after.getFirst() - before.getFirst()) / (WARM_UP + ROUNDS),
                Bound.atMost(1.05));
        for (int i = 0; i < SIZES.size(); i++) {
            report.compared(
                    "rewriting all %,d messages instead (control: append)".formatted(SIZES.get(i)),
                    Unit.NANOS,
                    rewrites.get(i).median(),
                    appends.get(i).median());
        }
    }

    private static List<Long> sizes(Path home, List<SessionId> ids) throws IOException {
        var sizes = new ArrayList<Long>();
        for (var id : ids) {
            sizes.add(Files.size(Lab.journal(home, id)));
        }
        return sizes;
    }
}

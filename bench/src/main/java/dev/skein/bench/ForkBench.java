package dev.skein.bench;

import dev.skein.bench.Report.Bound;
import dev.skein.bench.Report.Unit;
import dev.skein.session.SessionId;
import dev.skein.store.NewSession;
import dev.skein.store.SessionStore;
import dev.skein.store.file.Durability;
import java.io.IOException;
import java.util.List;

/// Does forking a long session cost more than forking a short one?
final class ForkBench implements Bench {

    private static final int WARM_UP = 100;
    private static final int ROUNDS = 200;

    @Override
    public String name() {
        return "fork";
    }

    @Override
    public String question() {
        return "forking a session";
    }

    @Override
    public void run(Lab lab, Report report) throws IOException {
        var home = lab.newDirectory();
        var ids = lab.prepare(home, List.of(10, 10_000));
        try (var store = Lab.open(home, Durability.ALWAYS);
                var small = store.open(Lab.SCOPE, ids.getFirst());
                var large = store.open(Lab.SCOPE, ids.getLast())) {
            var smallEnd = small.state().version();
            var largeEnd = large.state().version();
            var samples = Samples.interleaved(
                    WARM_UP,
                    ROUNDS,
                    List.of(
                            Samples.timed(() -> fork(store, small.id(), smallEnd)),
                            Samples.timed(() -> fork(store, large.id(), largeEnd)),
                            Samples.timed(() -> fork(store, large.id(), largeEnd / 2))));
            var control = samples.getFirst().median();
            report.compared(
                    "fork at the end of 10,000 messages (control: of 10)",
                    Unit.NANOS,
                    samples.get(1).median(),
                    control,
                    Bound.atMost(1.5));
            report.compared(
                    "fork in the middle of 10,000 messages (control: at the end of 10)",
                    Unit.NANOS,
                    samples.get(2).median(),
                    control,
                    Bound.atMost(1.5));
        }
    }

    private static void fork(SessionStore store, SessionId parent, long seq) {
        store.fork(Lab.SCOPE, parent, seq, NewSession.in(Lab.SCOPE)).close();
    }
}

package dev.skein.bench;

import dev.skein.bench.Report.Bound;
import dev.skein.bench.Report.Unit;
import dev.skein.session.SessionId;
import dev.skein.store.file.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Is a long session ready for its next turn as fast as a short one?
final class OpenBench implements Bench {

    private static final int WINDOW = 50;
    private static final int WARM_UP = 200;
    private static final int ROUNDS = 200;

    @Override
    public String name() {
        return "open";
    }

    @Override
    public String question() {
        return "opening a session for its next turn";
    }

    @Override
    public void run(Lab lab, Report report) throws IOException {
        var home = lab.newDirectory();
        var ids = lab.prepare(home, List.of(1_000, 100_000));
        var samples = Samples.interleaved(
                WARM_UP,
                ROUNDS,
                ids.stream()
                        .map(id -> (Samples.Probe) () -> openForNextTurn(home, id))
                        .toList());
        var shorter = samples.getFirst().median();
        var longer = samples.getLast().median();
        report.compared(
                "open for the next turn at 100,000 messages (control: at 1,000)",
                Unit.NANOS,
                longer,
                shorter,
                Bound.atMost(1.5));
        report.measured(
                "open for the next turn at 100,000 messages", Unit.NANOS, longer, Bound.atMost(3e6, Unit.NANOS));
        var id = ids.getLast();
        var checkpoint = Lab.journal(home, id).resolveSibling("state.yaml");
        var rebuilt = Samples.interleaved(1, 3, List.of(() -> {
            Files.deleteIfExists(checkpoint);
            return openForNextTurn(home, id);
        }));
        report.measured(
                "the same with the checkpoint deleted",
                Unit.NANOS,
                rebuilt.getFirst().median());
    }

    private static long openForNextTurn(Path home, SessionId id) {
        var start = System.nanoTime();
        try (var store = Lab.open(home, Durability.ALWAYS);
                var session = store.open(Lab.SCOPE, id)) {
            var version = session.state().version();
            var shown = session.context(WINDOW).messages().size();
            var took = System.nanoTime() - start;
            if (version < 1 || shown != WINDOW) {
                throw new IllegalStateException("opened at version " + version + " with " + shown + " messages");
            }
            return took;
        }
    }
}

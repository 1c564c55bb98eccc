package dev.skein.bench;

import dev.skein.bench.Report.Bound;
import dev.skein.bench.Report.Unit;
import dev.skein.store.file.Durability;
import dev.skein.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Does loading a whole session cost more than parsing its JSON?
final class LoadBench implements Bench {

    private static final int MESSAGES = 10_000;
    private static final int WARM_UP = 15;
    private static final int ROUNDS = 25;

    @Override
    public String name() {
        return "load";
    }

    @Override
    public String question() {
        return "loading a whole session";
    }

    @Override
    public void run(Lab lab, Report report) throws IOException {
        var home = lab.newDirectory();
        var id = lab.prepare(home, List.of(MESSAGES)).getFirst();
        var journal = Lab.journal(home, id);
        try (var store = Lab.open(home, Durability.ALWAYS);
                var session = store.open(Lab.SCOPE, id)) {
            var samples = Samples.interleaved(
                    WARM_UP,
                    ROUNDS,
                    List.of(
                            Samples.timed(() -> require(
                                    MESSAGES, session.load().state().totals().messages())),
                            Samples.timed(() -> require(6L * MESSAGES / 2 + 1, parse(journal)))));
            report.compared(
                    "load %,d messages (control: Jackson, line by line)".formatted(MESSAGES),
                    Unit.NANOS,
                    samples.getFirst().median(),
                    samples.getLast().median(),
                    Bound.atMost(1.5));
        }
    }

    private static long parse(Path journal) throws IOException {
        var bytes = Files.readAllBytes(journal);
        var lines = 0L;
        var start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                lines += Json.MAPPER.readTree(bytes, start, i - start).isObject() ? 1 : 0;
                start = i + 1;
            }
        }
        return lines;
    }

    private static void require(long expected, long found) {
        if (expected != found) {
            throw new IllegalStateException("found " + found + ", not " + expected);
        }
    }
}

package dev.skein.bench;

import dev.skein.bench.Report.Unit;
import dev.skein.session.Scope;
import dev.skein.store.SearchQuery;
import dev.skein.store.file.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Collections;
import java.util.List;

/// How fast are messages searched?
final class SearchBench implements Bench {

    private static final int SESSIONS = 40;
    private static final int MESSAGES = 1_000;
    private static final String NOWHERE = "not in any message";

    @Override
    public String name() {
        return "search";
    }

    @Override
    public String question() {
        return "searching in all messages";
    }

    @Override
    public void run(Lab lab, Report report) throws IOException {
        var home = lab.newDirectory();
        var ids = lab.prepare(home, Collections.nCopies(SESSIONS, MESSAGES));
        var bytes = 0L;
        for (var id : ids) {
            bytes += Files.size(Lab.journal(home, id));
        }
        try (var store = Lab.open(home, Durability.ALWAYS)) {
            var samples = Samples.interleaved(
                    5,
                    9,
                    List.of(Samples.timed(() -> store.search(SearchQuery.of(Scope.LOCAL_OWNER, NOWHERE), hit -> {
                        throw new IllegalStateException("found " + hit);
                    }))));
            report.measured(
                    "search %,d messages in %d sessions".formatted(SESSIONS * MESSAGES, SESSIONS),
                    Unit.MEGABYTES_PER_SECOND,
                    bytes / 1e6 / (samples.getFirst().median() / 1e9));
        }
    }
}

package dev.skein.cli.serve;

import dev.skein.cancellation.Cancellation;
import dev.skein.retrieval.RagKey;
import dev.skein.server.setup.Documents;
import dev.skein.tools.rag.Rags;

/// The collections of a home, as the server knows them.
record RagDocuments(Rags rags) implements Documents {

    @Override
    public Listing list() {
        var listing = rags.list();
        return new Listing(
                listing.rags().stream()
                        .map(each -> new Collected(
                                each.name(),
                                each.manifest().embedding(),
                                each.manifest().documents().size(),
                                each.manifest().passages(),
                                each.manifest().builtAt()))
                        .toList(),
                listing.problems());
    }

    @Override
    public Built rebuild(String name, Progress progress, Cancellation cancellation) {
        var report = rags.rebuild(new RagKey.Named(name), progress::at, cancellation);
        return new Built(
                report.added(),
                report.changed(),
                report.removed(),
                report.unchanged(),
                report.passages(),
                report.problems().stream()
                        .map(problem -> problem.source() + ": " + problem.reason())
                        .toList());
    }
}

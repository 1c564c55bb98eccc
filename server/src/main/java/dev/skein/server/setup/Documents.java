package dev.skein.server.setup;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.RagFailed;
import java.time.Instant;
import java.util.List;

/// The collections of documents that answers can come from. Safe for use by many threads.
public interface Documents {

    /// There are none.
    Documents NONE = new Documents() {
        @Override
        public Listing list() {
            return new Listing(List.of(), List.of());
        }

        @Override
        public Built rebuild(String name, Progress progress, Cancellation cancellation) {
            throw RagFailed.notFound(name);
        }
    };

    /// A collection, without what it is made of: paths are the operator's business.
    record Collected(String name, String embedding, int documents, int passages, Instant builtAt) {}

    /// What there is, and what is wrong with what cannot be read.
    record Listing(List<Collected> rags, List<String> problems) {}

    /// What a build did. `passages` is how many there are now.
    record Built(int added, int changed, int removed, int unchanged, int passages, List<String> problems) {}

    /// Hears how far a build has come; `document` is the next one, empty at the end.
    @FunctionalInterface
    interface Progress {
        void at(int done, int total, String document);
    }

    Listing list();

    /// Brings a collection up to date. Until it is done, answers come from what was there before.
    ///
    /// @throws RagFailed if there is none of this name, or somebody else builds it
    Built rebuild(String name, Progress progress, Cancellation cancellation);
}

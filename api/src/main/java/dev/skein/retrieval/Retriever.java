package dev.skein.retrieval;

import dev.skein.cancellation.Cancellation;
import java.util.List;

/// Finds passages in one collection of documents. Safe for use by many threads.
public interface Retriever {

    /// How the collection is called.
    String name();

    /// The passages that fit the question best, the best first.
    ///
    /// @throws dev.skein.failure.RagFailed if they cannot be looked for
    List<Passage> find(String question, Cancellation cancellation);

    /// The passages with these ids, in this order; those that are gone are left out.
    ///
    /// @throws dev.skein.failure.RagFailed if they cannot be looked for
    List<Passage> recall(List<String> ids);
}

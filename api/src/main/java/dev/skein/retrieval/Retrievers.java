package dev.skein.retrieval;

import dev.skein.failure.RagFailed;

/// All collections of documents there are. Safe for use by many threads.
public interface Retrievers {

    /// There are none.
    Retrievers NONE = new Retrievers() {
        @Override
        public boolean has(RagKey key) {
            return false;
        }

        @Override
        public Retriever open(RagKey key) {
            throw RagFailed.notFound(key.name());
        }
    };

    boolean has(RagKey key);

    /// Nothing is loaded before the first question.
    ///
    /// @throws RagFailed if there is no such collection
    Retriever open(RagKey key);
}

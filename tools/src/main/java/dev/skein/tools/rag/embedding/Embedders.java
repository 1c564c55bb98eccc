package dev.skein.tools.rag.embedding;

/// Opens embedding models by their names. Opening loads nothing and sends nothing. Safe for use by many threads.
@FunctionalInterface
public interface Embedders {

    /// The model of this name.
    ///
    /// @throws dev.skein.failure.InvalidRequest if there is no such model here; says what there is
    Embedder open(String name);
}

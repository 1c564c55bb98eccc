package dev.skein.tools.rag.embedding;

import dev.skein.cancellation.Cancellation;
import java.util.List;

/// Turns texts into vectors: texts that mean the same are near each other. Safe for use by many threads.
public interface Embedder {

    /// Which model it is, as `provider:model`. Vectors of different models cannot be compared.
    String name();

    /// The vector of each text, in the same order, all of the same size and of length 1.
    ///
    /// @throws dev.skein.failure.RagFailed if it cannot be done
    List<float[]> embed(List<String> texts, Role role, Cancellation cancellation);

    /// What a text is. Some models want to know.
    enum Role {
        QUESTION,
        PASSAGE
    }
}

/// Texts as vectors: on this machine, or by a provider. Begin with [Embedder].
@NullMarked
package dev.skein.tools.rag.embedding;

import org.jspecify.annotations.NullMarked;

/// Compaction: a long conversation is shown to the model as a summary and its newest turns.
///
/// Only an overlay is written; the originals stay and come back when the block is removed. A [Summarizer] makes the
/// words: with a model, or without one by extraction. Begin with [Compaction].
@NullMarked
package dev.skein.engine.compaction;

import org.jspecify.annotations.NullMarked;

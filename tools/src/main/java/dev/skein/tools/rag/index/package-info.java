/// Passages in a Lucene index, found by their words and by their meaning. Begin with [PassageSearch].
@NullMarked
package dev.skein.tools.rag.index;

import org.jspecify.annotations.NullMarked;

/// The text of documents, whatever their format, cut into chunks that say where they are from. Begin with [TextReader].
@NullMarked
package dev.skein.tools.rag.text;

import org.jspecify.annotations.NullMarked;

/// `skein rag`: collections of documents that answers can come from. Begin with [RagCommands].
@NullMarked
package dev.skein.cli.rag;

import org.jspecify.annotations.NullMarked;

/// Collections of a person's documents that can be asked: made from sources, kept up to date, and searched.
///
/// A collection is a directory of generations; a rebuild makes a new one beside the current one and switches when it is
/// complete. Begin with [Rags].
@NullMarked
package dev.skein.tools.rag;

import org.jspecify.annotations.NullMarked;

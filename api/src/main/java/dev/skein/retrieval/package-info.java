/// Passages of a person's documents: what the engine asks for, and what others provide. Begin with [Retrievers].
@NullMarked
package dev.skein.retrieval;

import org.jspecify.annotations.NullMarked;

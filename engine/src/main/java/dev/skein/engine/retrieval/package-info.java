/// What a model is shown of a person's documents, and how it is kept which passages those were. Begin with [Grounding].
@NullMarked
package dev.skein.engine.retrieval;

import org.jspecify.annotations.NullMarked;

/// Answers that have to look like something: what schemas are taken, and whether an answer fits one.
///
/// Schemas and answers come from strangers, so both are bounded: nothing is fetched, and nothing takes for ever. Begin
/// with [Shapes].
@NullMarked
package dev.skein.engine.output;

import org.jspecify.annotations.NullMarked;

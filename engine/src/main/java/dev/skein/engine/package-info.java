/// The engine: drives a session from a prompt to rest.
///
/// [Engine#run] is the only way to a model. Every step is in the journal before anyone sees it, and what to do next
/// follows from the journal alone, so a run that died anywhere is carried on by the next one. Begin with [Engine];
/// one run is a `LoopRun`, its tools are run by `ToolRunner`, and `RunLog` is the one place that writes.
@NullMarked
package dev.skein.engine;

import org.jspecify.annotations.NullMarked;

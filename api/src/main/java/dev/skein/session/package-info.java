/// Sessions: what is remembered, in which order, and what follows from it.
///
/// A session is a sequence of [SessionEvent]s that only ever grows. Everything else is computed from it by
/// pure folds without clock or I/O: [SessionState] (small, bounded, enough to take the next turn) and
/// [Session] (every loop and message, for those who want the whole). [ContextView] is what a model gets to
/// see. [SessionRecorder] builds sessions from live event streams. Begin with [SessionEvent] and [LoopEvent].
@NullMarked
package dev.skein.session;

import org.jspecify.annotations.NullMarked;

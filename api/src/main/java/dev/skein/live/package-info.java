/// Live events: what a front end hears while a run goes on.
///
/// The engine hands [LiveEvent]s to an [Emitter]; terminal, JSON lines and server-sent events are emitters. They tell
/// of what is already durable, plus the fragments that never will be. Begin with [LiveEvent].
@NullMarked
package dev.skein.live;

import org.jspecify.annotations.NullMarked;

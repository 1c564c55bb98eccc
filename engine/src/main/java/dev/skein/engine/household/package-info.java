/// Agents that work for others, each in a session of its own.
///
/// The sessions are linked both ways, so that either leads to the other, and a crash in the middle loses neither the
/// work nor the link. Begin with [AgentRuntime], which has several work in the background; [SubAgent] is one that a
/// Java
/// program makes, for which the call waits.
@NullMarked
package dev.skein.engine.household;

import org.jspecify.annotations.NullMarked;

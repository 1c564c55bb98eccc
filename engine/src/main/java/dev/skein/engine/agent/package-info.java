/// Sub-agents: agents that work for a tool call of another, in sessions of their own.
///
/// The two sessions are linked both ways, so that either leads to the other, and a crash in the middle loses neither
/// the work nor the link. Begin with [SubAgent].
@NullMarked
package dev.skein.engine.agent;

import org.jspecify.annotations.NullMarked;

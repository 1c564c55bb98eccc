/// Agents: tasks with everything that is needed for them, and agents that work for others.
///
/// What an agent is says [AgentSpec]; where agents are kept is behind [Agents]. A sub-agent works for another agent,
/// in a session of its own. The two sessions are linked both ways, so that either leads to the other, and a crash in
/// the middle loses neither the work nor the link. Begin with [AgentRuntime], which has several work in the background;
/// [SubAgent] is one that a Java program makes, for which the call waits.
@NullMarked
package dev.skein.engine.agent;

import org.jspecify.annotations.NullMarked;

/// Agents: tasks with everything that is needed for them, and agents that work for others.
///
/// What an agent is says [AgentSpec]; where agents are kept is behind [Agents]. A sub-agent works for a tool call of
/// another agent, in a session of its own. The two sessions are linked both ways, so that either leads to the other, and
/// a crash in the middle loses neither the work nor the link: begin with [SubAgent].
@NullMarked
package dev.skein.engine.agent;

import org.jspecify.annotations.NullMarked;

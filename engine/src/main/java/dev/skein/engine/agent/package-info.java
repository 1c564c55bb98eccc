/// Agents: tasks with everything that is needed for them.
///
/// What an agent is says [AgentSpec]; where agents are kept is behind [Agents]. Who works for whom is settled in
/// `engine.household`.
@NullMarked
package dev.skein.engine.agent;

import org.jspecify.annotations.NullMarked;

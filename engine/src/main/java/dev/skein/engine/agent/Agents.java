package dev.skein.engine.agent;

import dev.skein.cancellation.Cancellation;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Where agents are kept. Safe for use by many threads.
public interface Agents {

    Agents NONE = new Agents() {
        @Override
        public Optional<AgentSpec> find(String name) {
            return Optional.empty();
        }

        @Override
        public List<String> names() {
            return List.of();
        }

        @Override
        public String ask(AgentSpec agent, Map<String, String> variables) {
            return "";
        }
    };

    /// The agent of this name.
    ///
    /// @throws dev.skein.failure.InvalidRequest if there is such an agent and it cannot be read
    Optional<AgentSpec> find(String name);

    /// In alphabetical order, those that cannot be read too.
    List<String> names();

    /// What the command of an agent's instructions says now; nothing if it has none.
    ///
    /// @throws dev.skein.failure.InvalidRequest if it fails
    String ask(AgentSpec agent, Map<String, String> variables);

    /// Makes ready what an agent needs before it answers for the first time.
    default void prepare(AgentSpec agent, Cancellation cancellation) {}
}

package dev.skein.server;

import dev.skein.engine.agent.AgentSpec;
import dev.skein.engine.agent.AgentSpec.Variable;
import dev.skein.engine.agent.Agents;
import dev.skein.engine.scope.ToolScope;
import dev.skein.failure.InvalidRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Two agents, and one that cannot be read.
final class TestAgents implements Agents {

    @Override
    public Optional<AgentSpec> find(String name) {
        return switch (name) {
            case "scout" ->
                Optional.of(AgentSpec.of("scout", "You know {{place}}.")
                        .withVariables(new Variable("place", "Which place?", null))
                        .withScope(new ToolScope(List.of("look"), null)));
            case "plain" -> Optional.of(AgentSpec.of("plain", "You are plain."));
            case "broken" -> throw new InvalidRequest("config.yaml, line 1: broken");
            default -> Optional.empty();
        };
    }

    @Override
    public List<String> names() {
        return List.of("broken", "plain", "scout");
    }

    @Override
    public String ask(AgentSpec agent, Map<String, String> variables) {
        return "";
    }
}

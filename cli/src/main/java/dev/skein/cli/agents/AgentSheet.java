package dev.skein.cli.agents;

import dev.skein.engine.agent.AgentSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An agent, as a person reads it.
public final class AgentSheet {

    private AgentSheet() {}

    /// Its lines. What files say is shown as it is: whoever prints them makes them safe.
    public static List<String> of(AgentSpec agent) {
        var lines = new ArrayList<String>();
        fact(lines, "agent", agent.name());
        fact(lines, "about", agent.description());
        fact(lines, "model", agent.model());
        fact(lines, "temperature", agent.temperature());
        fact(lines, "tools", names(agent.scope().tools()));
        fact(lines, "MCP servers", names(agent.scope().servers()));
        fact(lines, "agents", agent.agents().isEmpty() ? null : String.join(", ", agent.agents()));
        fact(lines, "documents", agent.documents().isEmpty() ? null : String.join(", ", agent.documents()));
        agent.variables()
                .forEach(variable -> fact(
                        lines,
                        "variable",
                        variable.name() + (variable.standard() == null ? "" : " = " + variable.standard()) + "  "
                                + variable.description()));
        for (int i = 0; i < agent.starters().size(); i++) {
            fact(lines, "starter " + (i + 1), agent.starters().get(i));
        }
        if (agent.autoContinue().isOn()) {
            fact(lines, "goes on", "up to " + agent.autoContinue().timesMax() + " times while something is left to do");
        }
        if (agent.instructions().command() != null) {
            fact(lines, "command", agent.instructions().command());
        }
        if (!agent.instructions().text().isBlank()) {
            lines.add("");
            agent.instructions().text().lines().forEach(lines::add);
        }
        return lines;
    }

    private static @Nullable String names(@Nullable List<String> names) {
        return names == null ? null : names.isEmpty() ? "none" : String.join(", ", names);
    }

    private static void fact(List<String> lines, String name, @Nullable Object value) {
        if (value != null) {
            lines.add("%-13s%s".formatted(name, value));
        }
    }
}

package dev.skein.engine.agent;

import dev.skein.failure.InvalidRequest;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An agent at work: every one of its variables has a value.
public record ActiveAgent(AgentSpec spec, Map<String, String> variables) {

    public ActiveAgent {
        variables = Collections.unmodifiableMap(new LinkedHashMap<>(variables));
    }

    /// With the values that are given, and the standard ones for the others. Values of variables that the agent does
    /// not know are passed over.
    ///
    /// @throws InvalidRequest if a variable has neither; says which, and what it means
    public static ActiveAgent of(AgentSpec spec, Map<String, String> given) {
        var missing = missing(spec, given);
        if (!missing.isEmpty()) {
            var first = missing.getFirst();
            throw new InvalidRequest("the agent '" + spec.name() + "' needs to know '" + first.name() + "' ("
                    + first.description() + "); give it with --agent-variable " + first.name()
                    + "=VALUE, over HTTP in \"agent_variables\"");
        }
        var variables = new LinkedHashMap<String, String>();
        spec.variables().forEach(variable -> variables.put(variable.name(), value(variable, given)));
        return new ActiveAgent(spec, variables);
    }

    /// The variables that somebody has to give a value.
    public static List<AgentSpec.Variable> missing(AgentSpec spec, Map<String, String> given) {
        return spec.variables().stream()
                .filter(variable -> variable.standard() == null && !given.containsKey(variable.name()))
                .toList();
    }

    /// Returns if every value is for a variable that the agent has.
    ///
    /// @throws InvalidRequest if one is not
    public static void requireKnown(AgentSpec spec, Map<String, String> given) {
        var known = spec.variables().stream().map(AgentSpec.Variable::name).toList();
        for (var name : given.keySet()) {
            if (!known.contains(name)) {
                throw new InvalidRequest("the agent '" + spec.name() + "' has no variable '" + name + "'; "
                        + (known.isEmpty() ? "it has none" : "it has " + known));
            }
        }
    }

    private static String value(AgentSpec.Variable variable, Map<String, String> given) {
        var value = given.get(variable.name());
        if (value != null) {
            return value;
        }
        return variable.standard() == null ? "" : variable.standard();
    }

    /// What the model is told, with what the command said below it; null if that is nothing.
    public @Nullable String told(String said) {
        var text = with(spec.instructions().text()).strip();
        var all = said.isBlank() ? text : (text + "\n\n" + said.strip()).strip();
        return all.isEmpty() ? null : all;
    }

    public List<String> starters() {
        return spec.starters().stream().map(this::with).toList();
    }

    /// The text with the values of the variables in it. What is put in is not looked at again.
    private String with(String text) {
        var filled = new StringBuilder();
        var at = 0;
        for (var open = text.indexOf("{{"); open >= 0; open = text.indexOf("{{", at)) {
            var close = text.indexOf("}}", open);
            var value = close < 0
                    ? null
                    : variables.get(text.substring(open + 2, close).strip());
            var next = value == null ? open + 2 : close + 2;
            filled.append(text, at, open).append(value == null ? "{{" : value);
            at = next;
        }
        return filled.append(text.substring(at)).toString();
    }
}

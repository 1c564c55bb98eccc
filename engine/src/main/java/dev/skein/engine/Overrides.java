package dev.skein.engine;

import dev.skein.model.ModelName;
import dev.skein.session.OutputShape;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What one request wants otherwise than its session. Null means: as it is.
///
/// @param tools the names of the tools to offer; an empty list offers none
/// @param rag where passages are looked for; `none` for nowhere
/// @param agent who answers; `none` for nobody in particular
/// @param agentVariables what the agent is to know for this request, beside what its session knows
/// @param shape what the answer has to look like, made by [dev.skein.engine.output.Shapes]
public record Overrides(
        @Nullable ModelName model,
        @Nullable String role,
        @Nullable String system,
        @Nullable Double temperature,
        @Nullable List<String> tools,
        @Nullable String rag,
        @Nullable List<String> mcpServers,
        @Nullable String agent,
        Map<String, String> agentVariables,
        @Nullable Boolean autoContinue,
        @Nullable OutputShape shape) {

    public static final Overrides NONE =
            new Overrides(null, null, null, null, null, null, null, null, Map.of(), null, null);

    public Overrides {
        tools = tools == null ? null : List.copyOf(tools);
        mcpServers = mcpServers == null ? null : List.copyOf(mcpServers);
        agentVariables = Collections.unmodifiableMap(new LinkedHashMap<>(agentVariables));
    }

    public Overrides withModel(@Nullable ModelName newModel) {
        return new Overrides(
                newModel,
                role,
                system,
                temperature,
                tools,
                rag,
                mcpServers,
                agent,
                agentVariables,
                autoContinue,
                shape);
    }

    public Overrides withRole(@Nullable String newRole) {
        return new Overrides(
                model,
                newRole,
                system,
                temperature,
                tools,
                rag,
                mcpServers,
                agent,
                agentVariables,
                autoContinue,
                shape);
    }

    public Overrides withSystem(@Nullable String newSystem) {
        return new Overrides(
                model,
                role,
                newSystem,
                temperature,
                tools,
                rag,
                mcpServers,
                agent,
                agentVariables,
                autoContinue,
                shape);
    }

    public Overrides withTemperature(@Nullable Double newTemperature) {
        return new Overrides(
                model,
                role,
                system,
                newTemperature,
                tools,
                rag,
                mcpServers,
                agent,
                agentVariables,
                autoContinue,
                shape);
    }

    public Overrides withTools(@Nullable List<String> newTools) {
        return new Overrides(
                model,
                role,
                system,
                temperature,
                newTools,
                rag,
                mcpServers,
                agent,
                agentVariables,
                autoContinue,
                shape);
    }

    public Overrides withRag(@Nullable String newRag) {
        return new Overrides(
                model,
                role,
                system,
                temperature,
                tools,
                newRag,
                mcpServers,
                agent,
                agentVariables,
                autoContinue,
                shape);
    }

    public Overrides withMcpServers(@Nullable List<String> newMcpServers) {
        return new Overrides(
                model,
                role,
                system,
                temperature,
                tools,
                rag,
                newMcpServers,
                agent,
                agentVariables,
                autoContinue,
                shape);
    }

    public Overrides withAgent(@Nullable String newAgent) {
        return new Overrides(
                model,
                role,
                system,
                temperature,
                tools,
                rag,
                mcpServers,
                newAgent,
                agentVariables,
                autoContinue,
                shape);
    }

    public Overrides withAgentVariables(Map<String, String> newAgentVariables) {
        return new Overrides(
                model,
                role,
                system,
                temperature,
                tools,
                rag,
                mcpServers,
                agent,
                newAgentVariables,
                autoContinue,
                shape);
    }

    public Overrides withAutoContinue(@Nullable Boolean newAutoContinue) {
        return new Overrides(
                model,
                role,
                system,
                temperature,
                tools,
                rag,
                mcpServers,
                agent,
                agentVariables,
                newAutoContinue,
                shape);
    }

    public Overrides withShape(@Nullable OutputShape newShape) {
        return new Overrides(
                model,
                role,
                system,
                temperature,
                tools,
                rag,
                mcpServers,
                agent,
                agentVariables,
                autoContinue,
                newShape);
    }
}

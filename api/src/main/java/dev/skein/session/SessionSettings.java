package dev.skein.session;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// What a session sets for its loops. Null means "not set here"; an empty list means "none".
///
/// `extra` keeps settings of other tools that have no word here.
public record SessionSettings(
        @Nullable String model,
        @Nullable String provider,
        @Nullable Double temperature,
        @Nullable Double topP,
        @Nullable String reasoningEffort,
        @Nullable String role,
        @Nullable String rag,
        @Nullable List<String> tools,
        @Nullable List<String> mcpServers,
        @Nullable Boolean saveSession,
        @Nullable Integer compressionThreshold,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> agentVariables,
        @Nullable String agentInstructions,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, JsonNode> extra) {

    public static final SessionSettings NONE = new SessionSettings(
            null, null, null, null, null, null, null, null, null, null, null, Map.of(), null, Map.of());

    public SessionSettings {
        tools = tools == null ? null : List.copyOf(tools);
        mcpServers = mcpServers == null ? null : List.copyOf(mcpServers);
        agentVariables = Collections.unmodifiableMap(new LinkedHashMap<>(requireNonNullElse(agentVariables, Map.of())));
        extra = Collections.unmodifiableMap(new LinkedHashMap<>(requireNonNullElse(extra, Map.of())));
    }

    /// The same settings with another model, for example provider `openai` and model `gpt-4o`.
    public SessionSettings withModel(@Nullable String newProvider, @Nullable String newModel) {
        return new SessionSettings(
                newModel,
                newProvider,
                temperature,
                topP,
                reasoningEffort,
                role,
                rag,
                tools,
                mcpServers,
                saveSession,
                compressionThreshold,
                agentVariables,
                agentInstructions,
                extra);
    }

    public SessionSettings withTemperature(@Nullable Double newTemperature) {
        return new SessionSettings(
                model,
                provider,
                newTemperature,
                topP,
                reasoningEffort,
                role,
                rag,
                tools,
                mcpServers,
                saveSession,
                compressionThreshold,
                agentVariables,
                agentInstructions,
                extra);
    }

    public SessionSettings withTopP(@Nullable Double newTopP) {
        return new SessionSettings(
                model,
                provider,
                temperature,
                newTopP,
                reasoningEffort,
                role,
                rag,
                tools,
                mcpServers,
                saveSession,
                compressionThreshold,
                agentVariables,
                agentInstructions,
                extra);
    }

    public SessionSettings withReasoningEffort(@Nullable String newReasoningEffort) {
        return new SessionSettings(
                model,
                provider,
                temperature,
                topP,
                newReasoningEffort,
                role,
                rag,
                tools,
                mcpServers,
                saveSession,
                compressionThreshold,
                agentVariables,
                agentInstructions,
                extra);
    }

    public SessionSettings withRag(@Nullable String newRag) {
        return new SessionSettings(
                model,
                provider,
                temperature,
                topP,
                reasoningEffort,
                role,
                newRag,
                tools,
                mcpServers,
                saveSession,
                compressionThreshold,
                agentVariables,
                agentInstructions,
                extra);
    }

    public SessionSettings withTools(@Nullable List<String> newTools) {
        return new SessionSettings(
                model,
                provider,
                temperature,
                topP,
                reasoningEffort,
                role,
                rag,
                newTools,
                mcpServers,
                saveSession,
                compressionThreshold,
                agentVariables,
                agentInstructions,
                extra);
    }

    public SessionSettings withCompressionThreshold(@Nullable Integer newCompressionThreshold) {
        return new SessionSettings(
                model,
                provider,
                temperature,
                topP,
                reasoningEffort,
                role,
                rag,
                tools,
                mcpServers,
                saveSession,
                newCompressionThreshold,
                agentVariables,
                agentInstructions,
                extra);
    }
}

package dev.skein.session;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
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
        @Nullable String agent,
        @Nullable List<String> tools,
        @Nullable List<String> mcpServers,
        @Nullable Boolean saveSession,
        @Nullable Integer compressionThreshold,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> agentVariables,
        @Nullable String agentInstructions,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, JsonNode> extra) {

    public static final SessionSettings NONE = new SessionSettings(
            null, null, null, null, null, null, null, null, null, null, null, null, Map.of(), null, Map.of());

    public SessionSettings {
        tools = tools == null ? null : List.copyOf(tools);
        mcpServers = mcpServers == null ? null : List.copyOf(mcpServers);
        agentVariables = Collections.unmodifiableMap(new LinkedHashMap<>(requireNonNullElse(agentVariables, Map.of())));
        extra = Collections.unmodifiableMap(new LinkedHashMap<>(requireNonNullElse(extra, Map.of())));
    }

    /// The same settings with another model, for example provider `openai` and model `gpt-4o`.
    public SessionSettings withModel(@Nullable String newProvider, @Nullable String newModel) {
        return changed(draft -> {
            draft.provider = newProvider;
            draft.model = newModel;
        });
    }

    public SessionSettings withTemperature(@Nullable Double newTemperature) {
        return changed(draft -> draft.temperature = newTemperature);
    }

    public SessionSettings withTopP(@Nullable Double newTopP) {
        return changed(draft -> draft.topP = newTopP);
    }

    public SessionSettings withReasoningEffort(@Nullable String newReasoningEffort) {
        return changed(draft -> draft.reasoningEffort = newReasoningEffort);
    }

    public SessionSettings withRole(@Nullable String newRole) {
        return changed(draft -> draft.role = newRole);
    }

    public SessionSettings withRag(@Nullable String newRag) {
        return changed(draft -> draft.rag = newRag);
    }

    /// Who answers in the session; `none` for nobody, also if the session lives with an agent.
    public SessionSettings withAgent(@Nullable String newAgent) {
        return changed(draft -> draft.agent = newAgent);
    }

    public SessionSettings withMcpServers(@Nullable List<String> newServers) {
        return changed(draft -> draft.mcpServers = newServers);
    }

    /// What the agent knows of this session, and, if that was found out when it began, what the model is told.
    public SessionSettings withAgentKnowing(Map<String, String> newVariables, @Nullable String newInstructions) {
        return changed(draft -> {
            draft.agentVariables = newVariables;
            draft.agentInstructions = newInstructions;
        });
    }

    public SessionSettings withTools(@Nullable List<String> newTools) {
        return changed(draft -> draft.tools = newTools);
    }

    public SessionSettings withCompressionThreshold(@Nullable Integer newCompressionThreshold) {
        return changed(draft -> draft.compressionThreshold = newCompressionThreshold);
    }

    private SessionSettings changed(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return draft.settings(this);
    }

    /// Settings while they are being changed.
    private static final class Draft {
        private @Nullable String model;
        private @Nullable String provider;
        private @Nullable Double temperature;
        private @Nullable Double topP;
        private @Nullable String reasoningEffort;
        private @Nullable String role;
        private @Nullable String rag;
        private @Nullable String agent;
        private @Nullable List<String> tools;
        private @Nullable List<String> mcpServers;
        private @Nullable Integer compressionThreshold;
        private Map<String, String> agentVariables;
        private @Nullable String agentInstructions;

        Draft(SessionSettings settings) {
            model = settings.model;
            provider = settings.provider;
            temperature = settings.temperature;
            topP = settings.topP;
            reasoningEffort = settings.reasoningEffort;
            role = settings.role;
            rag = settings.rag;
            agent = settings.agent;
            tools = settings.tools;
            mcpServers = settings.mcpServers;
            compressionThreshold = settings.compressionThreshold;
            agentVariables = settings.agentVariables;
            agentInstructions = settings.agentInstructions;
        }

        /// With these, and the rest as it was.
        SessionSettings settings(SessionSettings rest) {
            return new SessionSettings(
                    model,
                    provider,
                    temperature,
                    topP,
                    reasoningEffort,
                    role,
                    rag,
                    agent,
                    tools,
                    mcpServers,
                    rest.saveSession,
                    compressionThreshold,
                    agentVariables,
                    agentInstructions,
                    rest.extra);
        }
    }
}

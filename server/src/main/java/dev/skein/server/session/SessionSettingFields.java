package dev.skein.server.session;

import dev.skein.model.ModelName;
import dev.skein.server.http.Fields;
import dev.skein.session.SessionSettings;
import java.util.List;

/// What a request wants a session to set for its runs.
final class SessionSettingFields {

    private static final List<String> ALL = List.of(
            "model",
            "temperature",
            "top_p",
            "reasoning_effort",
            "tools",
            "mcp_servers",
            "compression_threshold",
            "role",
            "rag");
    private static final int TOKENS_MAX = 1_000_000_000;

    private SessionSettingFields() {}

    static boolean anyIn(Fields body) {
        return ALL.stream().anyMatch(body::has);
    }

    /// The settings with what the body names changed; null takes a setting back.
    static SessionSettings changed(SessionSettings settings, Fields body) {
        var changed = settings;
        if (body.has("model")) {
            var model = body.optionalText("model").map(ModelName::parse);
            changed = changed.withModel(
                    model.map(ModelName::provider).orElse(null),
                    model.map(ModelName::model).orElse(null));
        }
        if (body.has("temperature")) {
            changed = changed.withTemperature(
                    body.optionalNumber("temperature", 0, 2).orElse(null));
        }
        if (body.has("top_p")) {
            changed = changed.withTopP(body.optionalNumber("top_p", 0, 1).orElse(null));
        }
        if (body.has("reasoning_effort")) {
            changed = changed.withReasoningEffort(
                    body.optionalText("reasoning_effort").orElse(null));
        }
        if (body.has("tools")) {
            changed = changed.withTools(body.optionalTexts("tools").orElse(null));
        }
        if (body.has("mcp_servers")) {
            changed = changed.withMcpServers(body.optionalTexts("mcp_servers").orElse(null));
        }
        if (body.has("compression_threshold")) {
            changed = changed.withCompressionThreshold(body.optionalWhole("compression_threshold", 0, TOKENS_MAX)
                    .map(Long::intValue)
                    .orElse(null));
        }
        if (body.has("role")) {
            changed = changed.withRole(body.optionalText("role").orElse(null));
        }
        if (body.has("rag")) {
            changed = changed.withRag(body.optionalText("rag").orElse(null));
        }
        return changed;
    }
}

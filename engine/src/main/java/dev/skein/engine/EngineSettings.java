package dev.skein.engine;

import dev.skein.engine.limit.Limits;
import dev.skein.engine.permission.PermissionRules;
import dev.skein.engine.permission.Permissions;
import dev.skein.model.ModelName;
import dev.skein.model.Sampling;
import dev.skein.redaction.Redaction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What holds for all requests, unless a session or a request says otherwise. Start from [#STANDARD].
///
/// @param model null for the best that can be had
/// @param tools the names of the tools to offer, null for all
/// @param mcpServers the names of the MCP servers whose tools are offered, null for all
/// @param workplace what all who work here are told, sub-agents too
public record EngineSettings(
        @Nullable ModelName model,
        @Nullable String system,
        Sampling sampling,
        @Nullable List<String> tools,
        @Nullable List<String> mcpServers,
        Permissions permissions,
        Limits limits,
        int window,
        CompactionRule compaction,
        Redaction redaction,
        Workplace workplace) {

    public static final EngineSettings STANDARD = new EngineSettings(
            null,
            null,
            Sampling.DEFAULT,
            null,
            null,
            PermissionRules.STANDARD,
            Limits.standard(),
            RunSettings.WINDOW,
            new CompactionRule(0, 0.7, 1, 4),
            Redaction.SHAPES,
            Workplace.SILENT);

    public EngineSettings {
        tools = tools == null ? null : List.copyOf(tools);
        mcpServers = mcpServers == null ? null : List.copyOf(mcpServers);
    }

    public EngineSettings at(Workplace newWorkplace) {
        return new EngineSettings(
                model,
                system,
                sampling,
                tools,
                mcpServers,
                permissions,
                limits,
                window,
                compaction,
                redaction,
                newWorkplace);
    }

    /// When a conversation is summarised by itself: beyond so many tokens, or this share of what the model can read at
    /// once. 0 means never because of that.
    public record CompactionRule(long tokensMax, double windowShare, int keepFirst, int keepLast) {}
}

package dev.skein.cli.settings;

import dev.skein.cli.secret.Interpolation;
import dev.skein.engine.EngineSettings;
import dev.skein.engine.EngineSettings.CompactionRule;
import dev.skein.engine.Workplace;
import dev.skein.engine.limit.Limits;
import dev.skein.engine.permission.PermissionRules;
import dev.skein.engine.permission.Permissions;
import dev.skein.engine.permission.Rule;
import dev.skein.failure.UnsafeSettings;
import dev.skein.message.Cost;
import dev.skein.model.ModelName;
import dev.skein.model.Sampling;
import dev.skein.provider.ProviderSettings;
import dev.skein.redaction.Redaction;
import dev.skein.server.gate.ServerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The settings of one home. What is missing or wrong has its default.
///
/// @param database how sessions are kept if that is in one
/// @param mcpServers the MCP servers whose tools are offered, null for all
/// @param mcpPool how long these are kept and waited for
/// @param saving what becomes of sessions that nobody names
/// @param workspaceInstructions whether the `AGENTS.md` of the working directory is shown to models
/// @param environment names of variables that programs started by tools may see, besides the usual ones
/// @param problems what could not be understood, each with where it stands
public record Settings(
        @Nullable String store,
        DatabaseRules database,
        @Nullable ModelName model,
        @Nullable String instructions,
        @Nullable Double temperature,
        @Nullable List<String> tools,
        @Nullable List<String> mcpServers,
        McpPool mcpPool,
        Permissions permissions,
        Limits limits,
        int window,
        CompactionRule compaction,
        SavePolicy saving,
        Prelude.All preludes,
        boolean workspaceInstructions,
        Set<String> environment,
        Map<String, ProviderSettings> providers,
        ServerSettings server,
        List<String> problems) {

    /// Reads a file that names no secrets; all defaults if there is none.
    public static Settings read(Path file) {
        return read(file, Interpolation.NONE);
    }

    /// Reads the file; all defaults if there is none. Secrets are filled in below `providers`. The store's address
    /// keeps the names of its secrets: one that cannot be had must not lead to another store.
    public static Settings read(Path file, Interpolation secrets) {
        var root = SettingsFile.read(file, secrets);
        var standard = EngineSettings.STANDARD;
        var permissions = root.section("permissions");
        var settings = new Settings(
                root.text("store").orElse(null),
                DatabaseRules.read(root.section("database")),
                root.value("model", ModelName::parse).orElse(null),
                root.text("instructions").orElse(null),
                root.number("temperature", 0, 2).orElse(null),
                root.texts("tools").orElse(null),
                root.texts("mcp_servers").orElse(null),
                McpPool.read(root.section("mcp_pool")),
                new PermissionRules(
                        permissions.values("deny", Rule::parse),
                        permissions.values("ask", Rule::parse),
                        permissions.values("allow", Rule::parse)),
                limits(root.section("limits"), standard.limits()),
                root.whole("messages_max", 1, 100_000).orElse(standard.window()),
                compaction(root.section("compaction"), standard.compaction()),
                root.value("save_session", SavePolicy::parse).orElse(SavePolicy.KEEP),
                preludes(root),
                root.flag("workspace_instructions").orElse(true),
                Set.copyOf(root.texts("environment").orElse(List.of())),
                root.objects("providers", ProviderSettings.class),
                ServerSection.read(root.section("server")),
                List.of());
        permissions.finish();
        root.finish();
        return settings.with(root.problems());
    }

    /// What the engine has to know of this.
    public EngineSettings engine(Redaction redaction) {
        return new EngineSettings(
                model,
                instructions,
                new Sampling(temperature, null, null, null),
                tools,
                mcpServers,
                permissions,
                limits,
                window,
                compaction,
                redaction,
                Workplace.SILENT);
    }

    /// The settings of the server, if nothing at all is wrong with the file: a server that starts with half of what it
    /// was told may be open where it should not.
    ///
    /// @throws UnsafeSettings with everything that is wrong
    public ServerSettings serverIfSound() {
        if (!problems.isEmpty()) {
            throw UnsafeSettings.invalid(problems);
        }
        return server;
    }

    static Limits limits(SettingsFile section, Limits standard) {
        var limits = new Limits(
                section.whole("turns", 1, 10_000).orElse(standard.turnsMax()),
                section.whole("tokens", 1, Integer.MAX_VALUE)
                        .map(Integer::longValue)
                        .orElse(standard.tokensMax()),
                section.value("cost", Cost::ofUsd).orElse(standard.costMax()),
                seconds(section, "seconds", standard.timeMax()),
                seconds(section, "tool_seconds", standard.toolTimeMax()),
                section.whole("tool_result_characters", 100, 10_000_000).orElse(standard.toolResultCharsMax()),
                section.whole("same_calls", 1, 1_000).orElse(standard.sameCallMax()),
                section.whole("retries", 0, 100).orElse(standard.retriesMax()));
        section.finish();
        return limits;
    }

    private static Prelude.All preludes(SettingsFile root) {
        return new Prelude.All(
                root.value("cmd_prelude", Prelude::parse).orElse(Prelude.NONE),
                root.value("repl_prelude", Prelude::parse).orElse(Prelude.NONE),
                root.value("agent_prelude", Prelude::ofAgent).orElse(Prelude.NONE));
    }

    private static Duration seconds(SettingsFile section, String key, Duration standard) {
        return section.whole(key, 1, 1_000_000).map(Duration::ofSeconds).orElse(standard);
    }

    private static CompactionRule compaction(SettingsFile section, CompactionRule standard) {
        var rule = new CompactionRule(
                section.whole("tokens", 0, Integer.MAX_VALUE)
                        .map(Integer::longValue)
                        .orElse(standard.tokensMax()),
                section.number("share", 0, 1).orElse(standard.windowShare()),
                section.whole("keep_first", 0, 1_000).orElse(standard.keepFirst()),
                section.whole("keep_last", 1, 1_000).orElse(standard.keepLast()));
        section.finish();
        return rule;
    }

    private Settings with(List<String> found) {
        return new Settings(
                store,
                database,
                model,
                instructions,
                temperature,
                tools,
                mcpServers,
                mcpPool,
                permissions,
                limits,
                window,
                compaction,
                saving,
                preludes,
                workspaceInstructions,
                environment,
                providers,
                server,
                List.copyOf(found));
    }
}

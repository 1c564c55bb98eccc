package dev.skein.cli.settings;

import dev.skein.tools.mcp.pool.PoolTerms;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How MCP servers are kept, where a person wants it otherwise. Null means: as it is usual there.
///
/// @param startWait how long a prompt waits for servers that are slow to start
public record McpPool(
        @Nullable Duration idle,
        @Nullable Duration cleanup,
        @Nullable Integer idleMax,
        Duration startWait) {

    private static final Duration START_WAIT = Duration.ofSeconds(10);
    private static final int SECONDS_MAX = 86_400;

    static McpPool read(SettingsFile section) {
        var pool = new McpPool(
                section.whole("idle_timeout_seconds", 0, SECONDS_MAX)
                        .map(Duration::ofSeconds)
                        .orElse(null),
                section.whole("cleanup_interval_seconds", 1, SECONDS_MAX)
                        .map(Duration::ofSeconds)
                        .orElse(null),
                section.whole("max_idle_servers", 0, 10_000).orElse(null),
                section.whole("start_wait_seconds", 1, SECONDS_MAX)
                        .map(Duration::ofSeconds)
                        .orElse(START_WAIT));
        section.finish();
        return pool;
    }

    /// These terms, with what the person wants.
    public PoolTerms over(PoolTerms usual) {
        return new PoolTerms(
                idle == null ? usual.idle() : idle,
                idleMax == null ? usual.idleMax() : idleMax,
                cleanup == null ? usual.reapEvery() : cleanup,
                usual.health(),
                usual.drain());
    }
}

package dev.skein.cli.serve;

import dev.skein.cli.program.Mcp;
import dev.skein.server.setup.McpPool;
import dev.skein.tools.mcp.config.McpConfig;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.pool.McpCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The MCP servers of the program, for the server.
record McpPools(Mcp mcp) implements McpPool {

    @Override
    public State info() {
        var now = mcp.counters();
        var config = mcp.config();
        return new State(
                now.active(),
                now.idle(),
                now.starting(),
                now.spawned(),
                now.shared(),
                now.revived(),
                now.evicted(),
                now.broken(),
                now.failed(),
                servers(config, now));
    }

    @Override
    public State reload() {
        mcp.reload();
        return info();
    }

    private static List<Listed> servers(McpConfig config, McpCounters now) {
        var all = new ArrayList<Listed>();
        config.servers().values().forEach(server -> all.add(listed(server, now)));
        config.disabled().forEach(name -> all.add(new Listed(name, "disabled", null, 0, null)));
        config.problems()
                .forEach(problem -> all.add(new Listed(
                        problem.server().isEmpty() ? McpConfig.FILE : problem.server(),
                        "wrong",
                        null,
                        0,
                        problem.reason())));
        now.servers().stream()
                .filter(running -> !config.servers().containsKey(running.name()))
                .forEach(running -> all.add(new Listed(running.name(), "ending", null, running.holders(), null)));
        return all;
    }

    /// One that changed may run twice for a while: those who began with the old one still have it.
    private static Listed listed(McpServer server, McpCounters now) {
        var type = server.reach() instanceof McpServer.Reach.Child ? "stdio" : "http";
        var running = now.servers().stream()
                .filter(candidate -> candidate.name().equals(server.name()))
                .toList();
        return new Listed(
                server.name(),
                running.isEmpty() ? "ready" : running.getFirst().state().name().toLowerCase(Locale.ROOT),
                type,
                running.stream().mapToInt(McpCounters.Running::holders).sum(),
                null);
    }
}

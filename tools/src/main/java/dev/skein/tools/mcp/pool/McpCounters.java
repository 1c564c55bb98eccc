package dev.skein.tools.mcp.pool;

import java.util.List;

/// What a factory has and did. Holds nothing secret.
///
/// @param shared times somebody joined those who use a server
/// @param revived times an idle server was taken up again
/// @param evicted idle servers that were ended
/// @param broken servers that ended by themselves, or were ended because they were not well
public record McpCounters(
        int active,
        int idle,
        int starting,
        long spawned,
        long shared,
        long revived,
        long evicted,
        long broken,
        long failed,
        List<Running> servers) {

    public McpCounters {
        servers = List.copyOf(servers);
    }

    /// One server and how many use it.
    public record Running(String name, State state, int holders) {}

    /// How far a server is.
    public enum State {
        STARTING,
        ACTIVE,
        IDLE
    }
}

package dev.skein.tools.mcp.pool;

import java.util.List;

/// What a factory did so far. Guarded by the factory's lock.
final class Tally {

    long spawned;
    long shared;
    long revived;
    long evicted;
    long broken;
    long failed;

    McpCounters counters(List<McpCounters.Running> running) {
        return new McpCounters(
                count(running, McpCounters.State.ACTIVE),
                count(running, McpCounters.State.IDLE),
                count(running, McpCounters.State.STARTING),
                spawned,
                shared,
                revived,
                evicted,
                broken,
                failed,
                running);
    }

    private static int count(List<McpCounters.Running> running, McpCounters.State state) {
        return (int) running.stream().filter(server -> server.state() == state).count();
    }
}

package dev.skein.tools.mcp.pool;

import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.config.ServerKey;
import java.util.concurrent.ConcurrentHashMap;

/// The keys of the servers that were asked for. Every call asks, and a key is a digest of all that a server is given,
/// which takes longer than finding its place in the pool. Safe for use by many threads.
final class KnownKeys {

    /// More than anybody configures. Beyond that it begins anew.
    private static final int MAX = 1_000;

    private final ConcurrentHashMap<McpServer, ServerKey> keys = new ConcurrentHashMap<>();

    ServerKey of(McpServer server) {
        var known = keys.get(server);
        if (known == null) {
            if (keys.size() >= MAX) {
                keys.clear();
            }
            known = ServerKey.of(server);
            keys.put(server, known);
        }
        return known;
    }

    /// Those that are not configured any more need not be known, nor what they were given.
    void forget() {
        keys.clear();
    }
}

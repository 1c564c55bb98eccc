package dev.skein.tools.mcp.pool;

import dev.skein.tools.mcp.client.McpClient;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.config.ServerKey;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A server's place in the pool. All but the client is guarded by the pool's lock.
final class Slot {

    final ServerKey key;
    final McpServer server;
    final CompletableFuture<McpClient> client = new CompletableFuture<>();
    int holders = 1;

    @Nullable
    Instant idleSince;

    /// Kept until then, although nobody uses it.
    Instant keptUntil = Instant.MIN;

    /// Not for anybody else any more: ended when the last who holds it lets go.
    boolean retired;

    Slot(McpServer server, ServerKey key) {
        this.server = server;
        this.key = key;
    }

    boolean isBroken() {
        return client.isCompletedExceptionally()
                || started().map(there -> there.ended().isPresent()).orElse(false);
    }

    Optional<McpClient> started() {
        return client.isDone() && !client.isCompletedExceptionally()
                ? Optional.of(client.resultNow())
                : Optional.empty();
    }

    /// When the last who held it let go; the beginning of time if somebody holds it.
    Instant lastUse() {
        return idleSince == null ? Instant.MIN : idleSince;
    }

    McpCounters.State state() {
        if (!client.isDone()) {
            return McpCounters.State.STARTING;
        }
        return idleSince == null ? McpCounters.State.ACTIVE : McpCounters.State.IDLE;
    }
}

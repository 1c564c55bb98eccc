package dev.skein.tools.mcp.pool;

import dev.skein.tools.mcp.client.McpClient;
import java.util.concurrent.atomic.AtomicBoolean;

/// The right to use a server. As long as one is held the server runs. Safe for use by many threads.
public final class McpLease implements AutoCloseable {

    private final McpClient client;
    private final Runnable giveBack;
    private final AtomicBoolean given = new AtomicBoolean();

    McpLease(McpClient client, Runnable giveBack) {
        this.client = client;
        this.giveBack = giveBack;
    }

    public McpClient client() {
        return client;
    }

    /// Gives the server back. Doing so again changes nothing.
    @Override
    public void close() {
        if (given.compareAndSet(false, true)) {
            giveBack.run();
        }
    }
}

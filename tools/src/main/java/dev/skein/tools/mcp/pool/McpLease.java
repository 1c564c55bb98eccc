package dev.skein.tools.mcp.pool;

import dev.skein.tools.mcp.client.McpClient;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// The right to use a server. As long as one is held the server runs. Safe for use by many threads.
public final class McpLease implements AutoCloseable {

    private final McpClient client;
    private final Consumer<Duration> giveBack;
    private final AtomicBoolean given = new AtomicBoolean();

    McpLease(McpClient client, Consumer<Duration> giveBack) {
        this.client = client;
        this.giveBack = giveBack;
    }

    public McpClient client() {
        return client;
    }

    /// Gives the server back. Doing so again changes nothing.
    @Override
    public void close() {
        giveBack(Duration.ZERO);
    }

    /// Gives the server back for somebody who will ask for it soon: it is kept at least so long.
    public void giveBack(Duration grace) {
        if (given.compareAndSet(false, true)) {
            giveBack.accept(grace);
        }
    }
}

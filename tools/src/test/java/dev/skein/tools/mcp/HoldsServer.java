package dev.skein.tools.mcp;

import dev.skein.cancellation.Cancellation;
import dev.skein.tools.mcp.client.McpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/// Starts a server that does not end by itself, says so in a file, and waits to be killed.
public final class HoldsServer {

    private HoldsServer() {}

    public static void main(String[] args) throws Exception {
        var directory = Path.of(args[0]);
        var server = Servers.hostile("stays", directory);
        try (var _ = McpClient.open(server, Servers.terms(directory), new Cancellation())) {
            Files.createFile(directory.resolve("ready"));
            new CountDownLatch(1).await();
        }
    }
}

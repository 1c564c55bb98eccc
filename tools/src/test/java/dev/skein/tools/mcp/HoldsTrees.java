package dev.skein.tools.mcp;

import dev.skein.cancellation.Cancellation;
import dev.skein.tools.mcp.client.McpClient;
import dev.skein.tools.mcp.config.McpServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/// Starts many servers, each with children that would outlive it, and waits to be killed: `DIRECTORY COUNT`.
public final class HoldsTrees {

    /// Greets, after it has started a child, and a child in a session of its own.
    private static final String SERVER = """
            sleep 3600 & setsid sleep 3600 &
            echo started >> "$1"
            read -r line
            echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}'
            cat > /dev/null
            """;

    private HoldsTrees() {}

    public static void main(String[] args) throws Exception {
        var directory = Path.of(args[0]);
        var script = Files.writeString(directory.resolve("tree.sh"), SERVER);
        var started = directory.resolve("started").toString();
        var clients = new ArrayList<McpClient>();
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            var command = List.of(script.toString(), started);
            var server = McpServer.of("tree-" + i, new McpServer.Reach.Child("/bin/sh", command, Map.of(), directory))
                    .withProtocol(McpServer.Protocol.SESSION)
                    .withTimeouts(Duration.ofMinutes(1), Duration.ofMinutes(1));
            clients.add(McpClient.open(server, Servers.terms(directory), new Cancellation()));
        }
        Files.createFile(directory.resolve("ready"));
        new CountDownLatch(1).await();
        clients.forEach(McpClient::close);
    }
}

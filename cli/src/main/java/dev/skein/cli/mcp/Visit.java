package dev.skein.cli.mcp;

import dev.skein.cancellation.Cancellation;
import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.Mcp;
import dev.skein.failure.Cancelled;
import dev.skein.tools.mcp.client.McpClient;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.wire.McpFailure;

/// Starts a server for one question, and ends it.
record Visit(Mcp mcp) {

    /// What is wanted of it.
    interface Question<T> {
        T ask(McpClient client) throws InterruptedException;
    }

    /// The configured server of this name.
    static McpServer named(Mcp mcp, String name) {
        var server = mcp.config().servers().get(name);
        if (server != null) {
            return server;
        }
        if (mcp.config().disabled().contains(name)) {
            throw CommandFailure.noServer(name, "it is disabled: take 'disabled' out of mcp.json");
        }
        var next = mcp.config().problems().stream()
                .filter(problem -> problem.server().equals(name))
                .map(problem -> "what mcp.json says about it is wrong: " + problem.reason())
                .findFirst()
                .orElse("there are " + mcp.config().servers().keySet());
        throw CommandFailure.noServer(name, next);
    }

    <T> T to(McpServer server, Question<T> question) {
        try (var lease = mcp.acquire(server, new Cancellation())) {
            return question.ask(lease.client());
        } catch (McpFailure e) {
            throw CommandFailure.serverFailed(String.valueOf(e.getMessage()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Cancelled("interrupted");
        }
    }
}

package dev.skein.tools.mcp;

import dev.skein.cancellation.Cancellation;
import dev.skein.tools.mcp.client.McpClient;
import dev.skein.tools.mcp.client.McpToolInfo;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.oauth.Callback;
import dev.skein.tools.mcp.oauth.Consent;
import dev.skein.tools.mcp.oauth.OAuth;
import dev.skein.tools.mcp.oauth.OAuthClient;
import dev.skein.tools.mcp.oauth.TokenFile;
import dev.skein.tools.mcp.wire.McpFailure;
import dev.skein.tools.mcp.wire.Peer;
import dev.skein.tools.mcp.wire.WireJson;
import dev.skein.wire.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The client that `bin/mcp-conformance` hands to the official suite: reaches the server whose address is its last
/// argument, lists its tools, and calls each, or those that the scenario names.
public final class ConformanceClient {

    private ConformanceClient() {}

    public static void main(String[] args) throws Exception {
        var version = System.getenv().getOrDefault("MCP_CONFORMANCE_PROTOCOL_VERSION", "2025-11-25");
        var context = Json.MAPPER.readTree(System.getenv().getOrDefault("MCP_CONFORMANCE_CONTEXT", "{}"));
        var us = new OAuthClient(
                text(context, "client_id"),
                text(context, "client_secret"),
                "https://conformance-test.local/client-metadata.json",
                null);
        var url = URI.create(args[args.length - 1]);
        var server = McpServer.of("conformance", new McpServer.Reach.Web(url, Map.of(), us))
                .withProtocol(
                        version.compareTo("2026-07-28") >= 0
                                ? McpServer.Protocol.STATELESS
                                : McpServer.Protocol.SESSION);
        var tokens = new TokenFile(Files.createTempDirectory("conformance").resolve(TokenFile.FILE));
        var oauth = new OAuth("conformance", url, us, tokens, new Yes(), Clock.systemUTC(), _ -> {});
        var terms = Servers.terms(Path.of("")).withElicitation().withCredentials(_ -> oauth);
        try (var client = McpClient.open(server, terms, new Cancellation())) {
            var tools = client.tools(new Cancellation()).tools();
            for (var tool : tools) {
                var named = context.path("toolCalls")
                        .valueStream()
                        .filter(call -> call.path("name").asString("").equals(tool.name()))
                        .findFirst();
                call(client, tool, named.map(call -> call.path("arguments")).orElseGet(() -> arguments(tool, tools)));
            }
        }
    }

    private static @Nullable String text(JsonNode context, String key) {
        return context.path(key).isString() ? context.path(key).stringValue() : null;
    }

    /// Follows the address as a browser would, up to where it is sent back to us.
    private static final class Yes implements Consent {

        @Override
        public URI redirect() {
            return URI.create("http://127.0.0.1:33418/callback");
        }

        @Override
        public Map<String, String> ask(URI authorization) throws InterruptedException {
            try (var http = HttpClient.newHttpClient()) {
                var back = http.send(HttpRequest.newBuilder(authorization).build(), BodyHandlers.discarding())
                        .headers()
                        .firstValue("location")
                        .orElse("");
                return Callback.query(URI.create(back).getRawQuery());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static void call(McpClient client, McpToolInfo tool, JsonNode arguments) throws InterruptedException {
        try {
            client.call(tool, arguments, new Person(), new Cancellation());
        } catch (McpFailure e) {
            System.err.println(tool.name() + ": " + e.getMessage());
        }
    }

    /// Something of the right type for every argument; a schema is that of the first tool, unchanged.
    private static ObjectNode arguments(McpToolInfo tool, java.util.List<McpToolInfo> tools) {
        var arguments = WireJson.object();
        tool.schema().path("properties").properties().forEach(property -> {
            switch (property.getValue().path("type").asString("")) {
                case "number", "integer" -> arguments.put(property.getKey(), 5);
                case "boolean" -> arguments.put(property.getKey(), true);
                case "object" ->
                    arguments.set(
                            property.getKey(), tools.getFirst().definition().path("inputSchema"));
                default -> arguments.put(property.getKey(), "text");
            }
        });
        return arguments;
    }

    /// Accepts everything as it is proposed.
    private static final class Person implements Peer.Caller {

        @Override
        public void told(String words) {
            System.err.println(words);
        }

        @Override
        public Optional<ObjectNode> asked(String method, JsonNode params) {
            var answer = WireJson.object().put("action", "accept");
            var content = answer.putObject("content");
            params.path("requestedSchema").path("properties").properties().forEach(property -> {
                if (property.getValue().has("default")) {
                    content.set(property.getKey(), property.getValue().path("default"));
                } else if (property.getValue().path("type").asString("").equals("boolean")) {
                    content.put(property.getKey(), true);
                }
            });
            return Optional.of(answer);
        }
    }
}

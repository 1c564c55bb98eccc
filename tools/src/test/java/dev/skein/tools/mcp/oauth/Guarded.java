package dev.skein.tools.mcp.oauth;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.skein.tools.mcp.wire.WireJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.node.ObjectNode;

/// An MCP server that lets nobody in without a token, and the authorization server that gives one, on one port.
final class Guarded implements AutoCloseable {

    private final HttpServer http;
    final List<String> asked = new CopyOnWriteArrayList<>();
    final AtomicInteger given = new AtomicInteger();
    volatile String valid = "";
    volatile String resource;
    volatile String issuer;
    volatile String issuerInMetadata;
    volatile String scope = "read";
    volatile int expiresIn = 3600;
    volatile boolean refreshes = true;
    /// What the token endpoint answers to everybody; 0 if it does its work.
    volatile int troubled;
    /// What happens elsewhere while a token is renewed.
    volatile Runnable meanwhile = () -> {};

    Guarded() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.createContext("/", this::answer);
        http.start();
        resource = url().toString();
        issuer = base();
        issuerInMetadata = base();
    }

    String base() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    URI url() {
        return URI.create(base() + "/mcp");
    }

    private void answer(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath();
        var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        asked.add(path + " " + body);
        try (exchange) {
            switch (path) {
                case "/mcp" -> mcp(exchange, body);
                case "/.well-known/oauth-protected-resource/mcp" -> {
                    var json = WireJson.object().put("resource", resource);
                    json.putArray("authorization_servers").add(issuer);
                    send(exchange, 200, json);
                }
                case "/.well-known/oauth-authorization-server" -> send(exchange, 200, metadata());
                case "/register" -> send(exchange, 201, WireJson.object().put("client_id", "newcomer"));
                case "/token" -> token(exchange, Callback.query(body));
                default -> send(exchange, 404, WireJson.object());
            }
        }
    }

    private ObjectNode metadata() {
        var json = WireJson.object()
                .put("issuer", issuerInMetadata)
                .put("authorization_endpoint", base() + "/authorize")
                .put("token_endpoint", base() + "/token")
                .put("registration_endpoint", base() + "/register")
                .put("authorization_response_iss_parameter_supported", true);
        json.putArray("code_challenge_methods_supported").add("S256");
        json.putArray("token_endpoint_auth_methods_supported").add("none");
        return json;
    }

    private void token(HttpExchange exchange, Map<String, String> form) throws IOException {
        var refreshing = "refresh_token".equals(form.get("grant_type"));
        if (troubled != 0) {
            send(exchange, troubled, WireJson.object().put("error", "temporarily_unavailable"));
            return;
        }
        meanwhile.run();
        if (refreshing && !refreshes) {
            send(exchange, 400, WireJson.object().put("error", "invalid_grant"));
            return;
        }
        valid = "token-number-" + given.incrementAndGet();
        send(
                exchange,
                200,
                WireJson.object()
                        .put("access_token", valid)
                        .put("token_type", "Bearer")
                        .put("refresh_token", "refresh-number-" + given.get())
                        .put("expires_in", expiresIn));
    }

    private void mcp(HttpExchange exchange, String body) throws IOException {
        var authorization = exchange.getRequestHeaders().getFirst("Authorization");
        if (valid.isEmpty() || !("Bearer " + valid).equals(authorization)) {
            exchange.getResponseHeaders()
                    .set(
                            "WWW-Authenticate",
                            "Bearer resource_metadata=\"" + base()
                                    + "/.well-known/oauth-protected-resource/mcp\", scope=\"" + scope + "\"");
            send(exchange, 401, WireJson.object());
            return;
        }
        if (!exchange.getRequestMethod().equals("POST")) {
            send(exchange, 405, WireJson.object());
            return;
        }
        var message = WireJson.read(body.getBytes(UTF_8));
        if (!message.has("id")) {
            exchange.sendResponseHeaders(202, -1);
            return;
        }
        var result = WireJson.object();
        if (message.path("method").asString("").equals("initialize")) {
            result.put("protocolVersion", "2025-11-25")
                    .putObject("capabilities")
                    .putObject("tools");
        } else {
            result.putArray("tools");
        }
        var answer = WireJson.object().put("jsonrpc", "2.0");
        answer.set("id", message.path("id"));
        answer.set("result", result);
        send(exchange, 200, answer);
    }

    private static void send(HttpExchange exchange, int status, ObjectNode json) throws IOException {
        var bytes = WireJson.write(json);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        http.stop(0);
    }
}

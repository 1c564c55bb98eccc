package dev.skein.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.skein.wire.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/// An MCP server that lets nobody in without a token, and the page on which a person says yes or no, on one port.
final class LoginServer implements AutoCloseable {

    private final HttpServer http;
    private final AtomicInteger given = new AtomicInteger();
    private volatile String valid = "";
    volatile boolean saysYes = true;

    LoginServer() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.createContext("/", this::answer);
        http.start();
    }

    private String base() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    String url() {
        return base() + "/mcp";
    }

    /// The token that it lets in.
    String token() {
        return valid;
    }

    private void answer(HttpExchange exchange) throws IOException {
        var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        try (exchange) {
            switch (exchange.getRequestURI().getPath()) {
                case "/mcp" -> mcp(exchange, body);
                case "/.well-known/oauth-protected-resource/mcp" -> {
                    var json = object().put("resource", url());
                    json.putArray("authorization_servers").add(base());
                    send(exchange, 200, json);
                }
                case "/.well-known/oauth-authorization-server" -> send(exchange, 200, metadata());
                case "/register" -> send(exchange, 201, object().put("client_id", "newcomer"));
                case "/authorize" ->
                    decide(exchange, query(exchange.getRequestURI().getRawQuery()));
                case "/token" -> {
                    valid = "token-number-" + given.incrementAndGet();
                    send(
                            exchange,
                            200,
                            object().put("access_token", valid)
                                    .put("token_type", "Bearer")
                                    .put("expires_in", 3600));
                }
                default -> send(exchange, 404, object());
            }
        }
    }

    /// Sends the browser back to where it came from.
    private void decide(HttpExchange exchange, Map<String, String> asked) throws IOException {
        var answer = saysYes ? "code=c" : "error=access_denied";
        var back = asked.get("redirect_uri") + "?" + answer + "&state=" + URLEncoder.encode(asked.get("state"), UTF_8)
                + "&iss=" + URLEncoder.encode(base(), UTF_8);
        exchange.getResponseHeaders().set("Location", back);
        exchange.sendResponseHeaders(302, -1);
    }

    private static Map<String, String> query(String text) {
        return Arrays.stream(text.split("&"))
                .map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> URLDecoder.decode(pair[1], UTF_8)));
    }

    private ObjectNode metadata() {
        var json = object().put("issuer", base())
                .put("authorization_endpoint", base() + "/authorize")
                .put("token_endpoint", base() + "/token")
                .put("registration_endpoint", base() + "/register")
                .put("authorization_response_iss_parameter_supported", true);
        json.putArray("code_challenge_methods_supported").add("S256");
        json.putArray("token_endpoint_auth_methods_supported").add("none");
        return json;
    }

    private void mcp(HttpExchange exchange, String body) throws IOException {
        if (valid.isEmpty()
                || !("Bearer " + valid).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            exchange.getResponseHeaders()
                    .set(
                            "WWW-Authenticate",
                            "Bearer resource_metadata=\"" + base() + "/.well-known/oauth-protected-resource/mcp\"");
            send(exchange, 401, object());
            return;
        }
        if (!exchange.getRequestMethod().equals("POST")) {
            send(exchange, 405, object());
            return;
        }
        var message = Json.MAPPER.readTree(body);
        if (!message.has("id")) {
            exchange.sendResponseHeaders(202, -1);
            return;
        }
        var answer = object().put("jsonrpc", "2.0");
        answer.set("id", message.path("id"));
        answer.set("result", result(message.path("method").asString("")));
        send(exchange, 200, answer);
    }

    private static ObjectNode result(String method) {
        var result = object();
        if (method.equals("initialize")) {
            result.put("protocolVersion", "2025-11-25");
            result.putObject("capabilities").putObject("tools");
            result.putObject("serverInfo").put("name", "vault of the town").put("version", "1");
        } else {
            var tool = result.putArray("tools").addObject().put("name", "open");
            tool.putObject("inputSchema").put("type", "object");
        }
        return result;
    }

    private static ObjectNode object() {
        return Json.MAPPER.createObjectNode();
    }

    private static void send(HttpExchange exchange, int status, ObjectNode json) throws IOException {
        var bytes = Json.MAPPER.writeValueAsBytes(json);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        http.stop(0);
    }
}

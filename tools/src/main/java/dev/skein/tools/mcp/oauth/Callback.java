package dev.skein.tools.mcp.oauth;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.skein.tools.mcp.wire.McpFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A person's browser comes back to this machine, to a port that is open only meanwhile.
public final class Callback implements Consent, AutoCloseable {

    private static final String PATH = "/callback";

    private final HttpServer server;
    private final Consumer<URI> sends;
    private final Duration patience;
    private final CompletableFuture<Map<String, String>> came = new CompletableFuture<>();

    /// @param sends shows the person where to go
    public Callback(Consumer<URI> sends, Duration patience) {
        this.sends = sends;
        this.patience = patience;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
        } catch (IOException e) {
            throw new McpFailure(
                    McpFailure.Kind.UNAUTHORIZED,
                    "no port on this machine can be opened for the browser to come back to",
                    e);
        }
        server.createContext(PATH, this::arrived);
        server.start();
    }

    @Override
    public URI redirect() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + PATH);
    }

    @Override
    public Map<String, String> ask(URI authorization) throws InterruptedException {
        sends.accept(authorization);
        try {
            return came.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new McpFailure(
                    McpFailure.Kind.UNAUTHORIZED,
                    "nobody came back from the browser within " + patience.toMinutes() + " minutes; try again",
                    e);
        }
    }

    private void arrived(HttpExchange exchange) throws IOException {
        try (exchange) {
            var words = "You can close this page.".getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
            exchange.sendResponseHeaders(200, words.length);
            exchange.getResponseBody().write(words);
            came.complete(query(exchange.getRequestURI().getRawQuery()));
        }
    }

    /// The fields of a query.
    public static Map<String, String> query(@Nullable String raw) {
        var fields = new HashMap<String, String>();
        for (var field : raw == null ? new String[0] : raw.split("&")) {
            var parts = field.split("=", 2);
            fields.put(URLDecoder.decode(parts[0], UTF_8), parts.length == 1 ? "" : URLDecoder.decode(parts[1], UTF_8));
        }
        return fields;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}

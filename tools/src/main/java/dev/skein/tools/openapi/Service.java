package dev.skein.tools.openapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.skein.cancellation.Cancellation;
import dev.skein.tool.ToolOutcome;
import dev.skein.tools.call.Refused;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// The service of a document: where it is, and what the operator lets it know about us. Redirects are not followed, so
/// that
/// nobody else gets to know it. Safe for use by many threads.
final class Service {

    /// Where the operator writes what is sent with every request.
    static final String HEADERS = "x-skein-headers";

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");
    private static final int REASON_CHARS_MAX = 1_000;

    private final String base;
    private final Map<String, String> headers;
    private final OpenApiTools.Terms terms;

    private Service(String base, Map<String, String> headers, OpenApiTools.Terms terms) {
        this.base = base;
        this.headers = Map.copyOf(headers);
        this.terms = terms;
    }

    /// @param variables gets to know which variables the headers name, with their values
    static Service of(JsonNode document, OpenApiTools.Terms terms, Map<String, String> variables) {
        var url = document.path("servers").path(0).path("url").asString("").replaceAll("/+$", "");
        var uri = URI.create(url);
        var isSecure = "https".equals(uri.getScheme());
        if (uri.getHost() == null || uri.getUserInfo() != null || !(isSecure || "http".equals(uri.getScheme()))) {
            throw new IllegalArgumentException(
                    "its first server is '" + url + "'; give a whole address that begins with https");
        }
        var headers = new LinkedHashMap<String, String>();
        for (var header : document.path(HEADERS).properties()) {
            headers.put(header.getKey(), filled(header.getValue().asString(""), terms, variables));
        }
        if (!headers.isEmpty() && !isSecure && !isHere(uri.getHost())) {
            throw new IllegalArgumentException("its headers would go over plain http; use https");
        }
        return new Service(url, headers, terms);
    }

    private static boolean isHere(String host) {
        try {
            return host.equals("localhost") || InetAddress.ofLiteral(host).isLoopbackAddress();
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    /// With secrets and variables in place of their names. What is filled in is not looked at again.
    private static String filled(String text, OpenApiTools.Terms terms, Map<String, String> variables) {
        var filled = new StringBuilder();
        var named = VARIABLE.matcher(text);
        var from = 0;
        while (named.find()) {
            var value = terms.environment().get(named.group(1));
            if (value == null) {
                throw new IllegalArgumentException("needs the variable " + named.group(1) + ", which is not set");
            }
            variables.put(named.group(1), value);
            filled.append(terms.secrets().apply(text.substring(from, named.start())))
                    .append(value);
            from = named.end();
        }
        return filled.append(terms.secrets().apply(text.substring(from))).toString();
    }

    ToolOutcome call(Operation.Request request, Cancellation cancellation) throws IOException, InterruptedException {
        var builder =
                HttpRequest.newBuilder(URI.create(base + request.target())).timeout(terms.timeout());
        headers.forEach(builder::header);
        for (int i = 0; i < request.headers().size(); i += 2) {
            builder.header(request.headers().get(i), request.headers().get(i + 1));
        }
        if (request.body() != null) {
            builder.header("Content-Type", "application/json");
        }
        builder.method(
                request.method(),
                request.body() == null ? BodyPublishers.noBody() : BodyPublishers.ofString(request.body()));
        var done = new CompletableFuture<ToolOutcome>();
        var worker = Thread.ofVirtual().name("skein-openapi").start(() -> send(builder.build(), done));
        try (var _ = cancellation.onCancel(() -> done.completeExceptionally(new InterruptedException()))) {
            return done.get(terms.timeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            return new ToolOutcome.TimedOut(terms.timeout());
        } catch (ExecutionException e) {
            cancellation.check();
            if (e.getCause() instanceof Refused refused) {
                throw refused;
            }
            throw new IOException("'" + base + "' cannot be asked: " + e.getCause(), e);
        } finally {
            worker.interrupt();
        }
    }

    /// A client of its own for each call: when it is interrupted, all ends that belongs to it.
    private void send(HttpRequest request, CompletableFuture<ToolOutcome> done) {
        var client = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
        try {
            var response = client.send(request, BodyHandlers.ofInputStream());
            try (var body = response.body()) {
                done.complete(answer(response.statusCode(), body));
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            done.completeExceptionally(e);
        } finally {
            client.shutdownNow();
        }
    }

    private ToolOutcome answer(int status, InputStream body) throws IOException {
        var bytes = body.readNBytes(terms.bytesMax());
        var text = new String(bytes, UTF_8) + (body.read() < 0 ? "" : "\n[cut: the answer is longer]");
        if (status >= 300) {
            var reason = text.strip();
            throw new Refused("the service answered with status " + status + ": "
                    + reason.substring(0, Math.min(reason.length(), REASON_CHARS_MAX)));
        }
        return ToolOutcome.Answered.text(text.isEmpty() ? "done (status " + status + ", nothing more was said)" : text);
    }
}

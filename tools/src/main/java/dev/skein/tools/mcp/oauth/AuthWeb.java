package dev.skein.tools.mcp.oauth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNullElse;

import dev.skein.tools.mcp.wire.McpFailure;
import dev.skein.tools.mcp.wire.VisibleText;
import dev.skein.tools.mcp.wire.WireJson;
import dev.skein.tools.web.AddressRules;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/// Asks authorization servers. Where these are is what a server says that we do not trust: so only https, no redirects,
/// little of what is sent, and no address that is not public, unless it is the server's own host.
final class AuthWeb implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int BYTES_MAX = 256 * 1024;

    private final String server;
    private final String host;
    private final HttpClient http;

    AuthWeb(String server, URI url) {
        this.server = server;
        this.host = url.getHost();
        this.http = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NEVER)
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(PATIENCE)
                .build();
    }

    /// What came back.
    record Answer(int status, JsonNode json) {
        boolean isGood() {
            return status / 100 == 2 && json.isObject();
        }
    }

    Answer get(URI url) throws InterruptedException {
        return send(HttpRequest.newBuilder(checked(url)).GET(), url);
    }

    Answer postJson(URI url, ObjectNode json) throws InterruptedException {
        var body = BodyPublishers.ofByteArray(WireJson.write(json));
        return send(
                HttpRequest.newBuilder(checked(url))
                        .header("Content-Type", "application/json")
                        .POST(body),
                url);
    }

    Answer postForm(URI url, Map<String, String> form, @Nullable String authorization) throws InterruptedException {
        var request = HttpRequest.newBuilder(checked(url))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(encoded(form)));
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        return send(request, url);
    }

    static String encoded(Map<String, String> form) {
        return form.entrySet().stream()
                .map(field ->
                        URLEncoder.encode(field.getKey(), UTF_8) + "=" + URLEncoder.encode(field.getValue(), UTF_8))
                .collect(Collectors.joining("&"));
    }

    private Answer send(HttpRequest.Builder request, URI url) throws InterruptedException {
        var asked =
                request.header("Accept", "application/json").timeout(PATIENCE).build();
        try {
            HttpResponse<InputStream> response = http.send(asked, BodyHandlers.ofInputStream());
            try (var body = response.body()) {
                return new Answer(response.statusCode(), json(body.readNBytes(BYTES_MAX)));
            }
        } catch (IOException e) {
            throw failure("cannot be let in: " + url.getHost() + " does not answer ("
                    + requireNonNullElse(e.getMessage(), e.getClass().getSimpleName()) + ")");
        }
    }

    private static JsonNode json(byte[] body) {
        try {
            return WireJson.read(body);
        } catch (IllegalArgumentException _) {
            return MissingNode.getInstance();
        }
    }

    /// @throws McpFailure if it is no address that we would go to for a server
    URI checked(URI url) {
        var scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        if (url.getHost() == null || url.getRawUserInfo() != null || url.getRawFragment() != null) {
            throw failure("names " + VisibleText.cut(url.toString(), 200) + ", which is no address to log in at");
        }
        try {
            var addresses = InetAddress.getAllByName(url.getHost());
            for (var address : addresses) {
                var isOwn = url.getHost().equalsIgnoreCase(host);
                var isNear = isOwn || (isLoopback(host) && address.isLoopbackAddress());
                if (!isNear && !AddressRules.isPublic(address)) {
                    throw failure("names " + url.getHost() + ", which is not on the public internet, to log in at");
                }
                if (!scheme.equals("https") && !(scheme.equals("http") && address.isLoopbackAddress())) {
                    throw failure(
                            "names " + VisibleText.cut(url.toString(), 200) + " to log in at, which is not https");
                }
            }
            return url;
        } catch (UnknownHostException _) {
            throw failure("names " + url.getHost() + " to log in at, which is nowhere");
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return host.equalsIgnoreCase("localhost")
                    || InetAddress.ofLiteral(host).isLoopbackAddress();
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    McpFailure failure(String what) {
        return new McpFailure(McpFailure.Kind.UNAUTHORIZED, "the MCP server '" + server + "' " + what);
    }

    @Override
    public void close() {
        http.close();
    }
}

package dev.skein.tools.mcp.config;

import dev.skein.tools.mcp.oauth.OAuthClient;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// What is written about one server.
record ServerEntry(String name, JsonNode json, Variables variables) {

    private static final int NAME_CHARS_MAX = 40;
    private static final int SECONDS_MAX = 86_400;
    private static final Pattern HEADER_NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private static final List<String> OAUTH = List.of("client_id", "client_secret", "client_metadata_url", "scope");

    /// What HTTP and the protocol set themselves.
    private static final Set<String> OURS = Set.of(
            "host",
            "content-length",
            "content-type",
            "accept",
            "connection",
            "transfer-encoding",
            "upgrade",
            "mcp-session-id",
            "mcp-protocol-version",
            "mcp-method",
            "mcp-name",
            "last-event-id");

    McpServer server() {
        if (!json.isObject()) {
            throw new McpConfig.Wrong("is not an object; give it a 'command' or a 'url'");
        }
        if (name.length() > NAME_CHARS_MAX) {
            throw new McpConfig.Wrong("its name is longer than " + NAME_CHARS_MAX + " characters");
        }
        var server = McpServer.of(name, reach())
                .withTimeouts(
                        seconds("timeout_seconds", 1).orElse(McpServer.TIMEOUT),
                        seconds("start_timeout_seconds", 1).orElse(McpServer.START_TIMEOUT))
                .withProtocol(protocol());
        if (server.prefix().isEmpty()) {
            throw new McpConfig.Wrong("its name has no letter and no digit; rename it");
        }
        return seconds("idle_timeout_seconds", 0).map(server::withIdle).orElse(server);
    }

    private McpServer.Reach reach() {
        if (json.has("url") && json.has("command")) {
            throw new McpConfig.Wrong("has both a command and a url; leave one out");
        }
        var type = text("type").map(word -> word.toLowerCase(Locale.ROOT)).orElse("");
        return switch (type) {
            case "stdio" -> child();
            case "http", "streamable-http", "streamablehttp" -> web();
            case "" -> json.has("url") ? web() : child();
            default ->
                throw new McpConfig.Wrong("the type '" + type + "' is not spoken here; there are stdio and http");
        };
    }

    private McpServer.Reach child() {
        var command = text("command")
                .filter(word -> !word.isBlank())
                .orElseThrow(() -> new McpConfig.Wrong("has no 'command' and no 'url'; give it one of them"));
        var cwd = text("cwd").map(this::path).orElse(null);
        return new McpServer.Reach.Child(noNul("command", command), args(), env(), cwd);
    }

    private Path path(String text) {
        try {
            return Path.of(noNul("cwd", text));
        } catch (InvalidPathException e) {
            throw new McpConfig.Wrong("its cwd is not a directory's name: " + e.getReason());
        }
    }

    private List<String> args() {
        var args = new ArrayList<String>();
        if (json.has("args") && !json.path("args").isArray()) {
            throw new McpConfig.Wrong("its 'args' are not a list");
        }
        for (var arg : json.path("args")) {
            args.add(noNul("args", variables.fill(word("args", arg))));
        }
        return args;
    }

    private Map<String, String> env() {
        var env = texts("env");
        env.forEach((variable, value) -> {
            if (!VARIABLE.matcher(variable).matches()) {
                throw new McpConfig.Wrong("'" + variable + "' in its env is no name of a variable");
            }
            noNul("env", value);
        });
        return env;
    }

    private McpServer.Reach web() {
        var url = url();
        var headers = texts("headers");
        text("bearer").ifPresent(token -> headers.put("Authorization", "Bearer " + token));
        headers.forEach(ServerEntry::requireProper);
        if (!headers.isEmpty()
                && url.getScheme().equals("http")
                && !isLoopback(url.getHost())
                && !json.path("allow_insecure").asBoolean(false)) {
            throw new McpConfig.Wrong("sends its headers over plain http, where everybody on the way can read them;"
                    + " use https, or set allow_insecure to true");
        }
        return new McpServer.Reach.Web(url, headers, oauth());
    }

    private OAuthClient oauth() {
        var given = texts("oauth");
        given.keySet().stream().filter(key -> !OAUTH.contains(key)).findFirst().ifPresent(key -> {
            throw new McpConfig.Wrong("its 'oauth' has no '" + key + "'; there are " + OAUTH);
        });
        return new OAuthClient(
                given.get("client_id"),
                given.get("client_secret"),
                given.get("client_metadata_url"),
                given.get("scope"));
    }

    private URI url() {
        var text = text("url").orElseThrow(() -> new McpConfig.Wrong("has no 'url'; give it one"));
        try {
            var url = new URI(text.strip());
            var scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
            if ((!scheme.equals("http") && !scheme.equals("https")) || url.getHost() == null) {
                throw new McpConfig.Wrong("its url is neither http nor https, or has no host");
            }
            if (url.getRawUserInfo() != null || url.getRawFragment() != null) {
                throw new McpConfig.Wrong("its url holds a password or a fragment; use 'headers' for credentials");
            }
            return URI.create(scheme + ":" + url.getRawSchemeSpecificPart());
        } catch (URISyntaxException e) {
            throw new McpConfig.Wrong("its url is not a URL: " + e.getReason());
        }
    }

    private static boolean isLoopback(String host) {
        if (host.equalsIgnoreCase("localhost")) {
            return true;
        }
        try {
            return InetAddress.ofLiteral(host).isLoopbackAddress();
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private static void requireProper(String header, String value) {
        if (!HEADER_NAME.matcher(header).matches() || OURS.contains(header.toLowerCase(Locale.ROOT))) {
            throw new McpConfig.Wrong("the header '" + header + "' cannot be set; remove it");
        }
        if (!value.chars().allMatch(c -> (c >= 0x20 && c < 0x7f) || c == '\t')) {
            throw new McpConfig.Wrong("the value of its header '" + header + "' holds characters that no header may");
        }
    }

    private McpServer.Protocol protocol() {
        return text("protocol")
                .map(word -> switch (word) {
                    case "auto" -> McpServer.Protocol.AUTO;
                    case "session" -> McpServer.Protocol.SESSION;
                    case "stateless" -> McpServer.Protocol.STATELESS;
                    default ->
                        throw new McpConfig.Wrong("its protocol is auto, session or stateless, not '" + word + "'");
                })
                .orElse(McpServer.Protocol.AUTO);
    }

    private Optional<Duration> seconds(String key, int least) {
        var value = json.path(key);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isInt() || value.intValue() < least || value.intValue() > SECONDS_MAX) {
            throw new McpConfig.Wrong("its " + key + " is a whole number from " + least + " to " + SECONDS_MAX);
        }
        return Optional.of(Duration.ofSeconds(value.intValue()));
    }

    private Optional<String> text(String key) {
        var value = json.path(key);
        return value.isMissingNode() || value.isNull()
                ? Optional.empty()
                : Optional.of(variables.fill(word(key, value)));
    }

    private Map<String, String> texts(String key) {
        var values = new LinkedHashMap<String, String>();
        var object = json.path(key);
        if (!object.isMissingNode() && !object.isNull() && !object.isObject()) {
            throw new McpConfig.Wrong("its '" + key + "' is not an object of texts");
        }
        for (var entry : object.properties()) {
            values.put(entry.getKey(), variables.fill(word(key, entry.getValue())));
        }
        return values;
    }

    private static String word(String key, JsonNode value) {
        if (!value.isValueNode() || value.isNull()) {
            throw new McpConfig.Wrong("its '" + key + "' is not a text");
        }
        return value.asString("");
    }

    private static String noNul(String key, String text) {
        if (text.indexOf('\0') >= 0) {
            throw new McpConfig.Wrong("its '" + key + "' holds a character that no program can be given");
        }
        return text;
    }
}

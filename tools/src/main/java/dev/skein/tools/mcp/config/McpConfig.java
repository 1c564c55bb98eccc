package dev.skein.tools.mcp.config;

import dev.skein.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/// The servers of `mcp.json`, in the format that other tools write: a map `mcpServers` by name. One that is wrong is
/// passed over and told about; the others work.
///
/// @param servers those that can be used, by name
/// @param disabled names of those that are switched off
public record McpConfig(Map<String, McpServer> servers, List<String> disabled, List<Problem> problems) {

    /// The name of the file in home.
    public static final String FILE = "mcp.json";

    /// The key of the map.
    public static final String SERVERS = "mcpServers";

    public static final McpConfig NONE = new McpConfig(Map.of(), List.of(), List.of());

    private static final long BYTES_MAX = 1024 * 1024;
    private static final int SERVERS_MAX = 200;

    public McpConfig {
        servers = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(servers));
        disabled = List.copyOf(disabled);
        problems = List.copyOf(problems);
    }

    /// What is wrong, and with which server; the name is empty where it is the file.
    public record Problem(String server, String reason) {
        @Override
        public String toString() {
            return server.isEmpty() ? FILE + ": " + reason : FILE + ": the server '" + server + "': " + reason;
        }
    }

    /// What is written about a server makes no sense. The message says what does.
    static final class Wrong extends RuntimeException {
        Wrong(String message) {
            super(message);
        }
    }

    /// Reads the file; nothing if it is not there.
    ///
    /// @param variables the environment, and where secrets are, by name
    public static McpConfig read(Path file, Function<String, Optional<String>> variables) {
        var problems = new ArrayList<Problem>();
        var servers = new LinkedHashMap<String, McpServer>();
        var disabled = new ArrayList<String>();
        var owners = new HashMap<String, String>();
        for (var entry : entries(file, problems).properties()) {
            var name = entry.getKey();
            try {
                if (servers.size() + disabled.size() >= SERVERS_MAX) {
                    throw new Wrong("there are more than " + SERVERS_MAX + " servers; remove some");
                }
                if (entry.getValue().path("disabled").asBoolean(false)) {
                    disabled.add(name);
                    continue;
                }
                var server = new ServerEntry(name, entry.getValue(), new Variables(variables)).server();
                var owner = owners.putIfAbsent(server.prefix(), name);
                if (owner != null) {
                    throw new Wrong("its tools would be named like those of '" + owner + "'; rename one of them");
                }
                servers.put(name, server);
            } catch (Wrong e) {
                problems.add(new Problem(name, String.valueOf(e.getMessage())));
            }
        }
        return new McpConfig(servers, disabled, problems);
    }

    /// What is wrong with what would be written about a server; empty if nothing is.
    public static Optional<Problem> check(String name, JsonNode entry, Function<String, Optional<String>> variables) {
        try {
            var _ = new ServerEntry(name, entry, new Variables(variables)).server();
            return Optional.empty();
        } catch (Wrong e) {
            return Optional.of(new Problem(name, String.valueOf(e.getMessage())));
        }
    }

    private static JsonNode entries(Path file, List<Problem> problems) {
        if (!Files.exists(file)) {
            return MissingNode.getInstance();
        }
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > BYTES_MAX) {
                problems.add(new Problem("", "is not a file, or larger than " + BYTES_MAX + " bytes"));
                return MissingNode.getInstance();
            }
            var servers = Json.MAPPER.readTree(Files.readAllBytes(file)).path(SERVERS);
            if (!servers.isObject()) {
                problems.add(new Problem("", "has no object '" + SERVERS + "'; put the servers there, by name"));
                return MissingNode.getInstance();
            }
            return servers;
        } catch (JacksonException e) {
            problems.add(
                    new Problem("", "line " + e.getLocation().getLineNr() + " is not JSON: " + e.getOriginalMessage()));
        } catch (IOException e) {
            problems.add(new Problem("", "cannot be read: " + e.getMessage()));
        }
        return MissingNode.getInstance();
    }

    /// What must not be shown anywhere: values that servers are given under a name.
    public Map<String, String> secrets() {
        var secrets = new HashMap<String, String>();
        for (var server : servers.values()) {
            var given = switch (server.reach()) {
                case McpServer.Reach.Child child -> child.env();
                case McpServer.Reach.Web web -> web.headers();
            };
            if (server.reach() instanceof McpServer.Reach.Web web && web.oauth().secret() != null) {
                secrets.put(server.name() + ".oauth", web.oauth().secret());
            }
            given.forEach((name, value) -> secrets.put(server.name() + "." + name, bare(value)));
        }
        return secrets;
    }

    private static String bare(String value) {
        return value.regionMatches(true, 0, "Bearer ", 0, 7)
                ? value.substring(7).strip()
                : value;
    }
}

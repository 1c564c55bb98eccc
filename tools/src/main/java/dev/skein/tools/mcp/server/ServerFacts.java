package dev.skein.tools.mcp.server;

import dev.skein.tool.ToolSpec;
import dev.skein.tools.mcp.wire.WireJson;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What clients are told about the server: which versions it speaks and which tools it has.
///
/// @param instructions what a model should know about the tools as a whole
public record ServerFacts(String name, String version, String instructions, List<ServedTool> tools) {

    static final String STATELESS = "2026-07-28";
    static final String META = "io.modelcontextprotocol/";
    static final String META_VERSION = META + "protocolVersion";

    /// Those with a handshake, the newest first.
    private static final List<String> SESSIONS = List.of("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05");

    private static final Set<String> LISTS = Set.of("server/discover", "tools/list");

    public ServerFacts {
        tools = List.copyOf(tools);
    }

    /// The answer to `initialize`. A client that wants a version we do not know is told the newest we do.
    ObjectNode greeting(JsonNode params) {
        var wanted = params.path("protocolVersion").asString("");
        var result = described().put("protocolVersion", SESSIONS.contains(wanted) ? wanted : SESSIONS.getFirst());
        result.set("serverInfo", info());
        return result;
    }

    /// The answer to `server/discover`.
    ObjectNode discovery() {
        var result = described();
        result.putArray("supportedVersions").add(STATELESS);
        result.set("serverInfo", info());
        result.putObject("_meta").set(META + "serverInfo", info());
        return result;
    }

    /// What every answer says in the life without a handshake.
    static ObjectNode complete(String method, ObjectNode result) {
        if (LISTS.contains(method)) {
            result.put("ttlMs", 0).put("cacheScope", "private");
        }
        return result.put("resultType", "complete");
    }

    ObjectNode listing() {
        var result = WireJson.object();
        var listed = result.putArray("tools");
        tools.forEach(tool -> listed.add(described(tool.spec())));
        return result;
    }

    private static ObjectNode described(ToolSpec spec) {
        var tool = WireJson.object().put("name", spec.name()).put("description", spec.description());
        tool.set("inputSchema", spec.parameters());
        var reads = spec.effect() == ToolSpec.Effect.READS;
        tool.putObject("annotations").put("readOnlyHint", reads).put("openWorldHint", !reads);
        return tool;
    }

    private ObjectNode described() {
        var result = WireJson.object().put("instructions", instructions);
        result.putObject("capabilities").putObject("tools");
        return result;
    }

    private ObjectNode info() {
        return WireJson.object().put("name", name).put("version", version);
    }
}

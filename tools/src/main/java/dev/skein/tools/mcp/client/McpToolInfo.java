package dev.skein.tools.mcp.client;

import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// A tool as its server describes it.
///
/// @param definition all that counts of it: name, title, description, both schemas, annotations
/// @param headers which argument goes beside a call under which header, over HTTP
public record McpToolInfo(
        String name, String description, ObjectNode schema, ObjectNode definition, Map<String, String> headers) {

    public McpToolInfo {
        headers = Map.copyOf(headers);
    }

    /// What the server says about what it does. Nobody has to believe it.
    public boolean claimsToRead() {
        return definition.path("annotations").path("readOnlyHint").asBoolean(false);
    }
}

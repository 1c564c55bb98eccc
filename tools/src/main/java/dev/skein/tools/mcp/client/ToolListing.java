package dev.skein.tools.mcp.client;

import dev.skein.tools.mcp.wire.VisibleText;
import dev.skein.tools.mcp.wire.WireJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The tools of a server that can be used, and what is wrong with the others.
public record ToolListing(List<McpToolInfo> tools, List<String> problems) {

    public static final ToolListing NONE = new ToolListing(List.of(), List.of());

    static final int TOOLS_MAX = 500;
    private static final int NAME_CHARS_MAX = 128;
    private static final int DESCRIPTION_CHARS_MAX = 10_000;
    private static final int SCHEMA_CHARS_MAX = 100_000;
    private static final int PROBLEMS_MAX = 50;
    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
    private static final Set<String> PROSE = Set.of("description", "title", "$comment");
    private static final Set<String> HEADER_TYPES = Set.of("string", "integer", "boolean");
    private static final List<String> COUNTS =
            List.of("name", "title", "description", "inputSchema", "outputSchema", "annotations");

    public ToolListing {
        tools = List.copyOf(tools);
        problems = List.copyOf(problems);
    }

    /// A tool that cannot be used. The message says why.
    private static final class Unusable extends RuntimeException {
        Unusable(String message) {
            super(message);
        }
    }

    /// Whether arguments may have to go into headers.
    enum Way {
        STREAMS,
        HTTP
    }

    /// Looks at what a server sent. One bad tool does not spoil the others.
    static ToolListing of(List<JsonNode> sent, Way way) {
        var tools = new LinkedHashMap<String, McpToolInfo>();
        var problems = new ArrayList<String>();
        for (var json : sent) {
            try {
                if (tools.size() >= TOOLS_MAX) {
                    throw new Unusable("there are more than " + TOOLS_MAX);
                }
                var tool = tool(json, way);
                if (tools.putIfAbsent(tool.name(), tool) != null) {
                    throw new Unusable("another has the same name");
                }
            } catch (Unusable e) {
                if (problems.size() < PROBLEMS_MAX) {
                    problems.add(
                            "the tool '" + VisibleText.cut(json.path("name").asString("?"), NAME_CHARS_MAX)
                                    + "' is left out: " + e.getMessage());
                }
            }
        }
        return new ToolListing(List.copyOf(tools.values()), problems);
    }

    private static McpToolInfo tool(JsonNode json, Way way) {
        var name = json.path("name").asString("");
        if (!json.path("name").isString() || name.isBlank() || !VisibleText.isVisible(name)) {
            throw new Unusable("its name is empty or not visible");
        }
        if (name.length() > NAME_CHARS_MAX) {
            throw new Unusable("its name is longer than " + NAME_CHARS_MAX + " characters");
        }
        var description = json.path("description").asString("");
        if (description.length() > DESCRIPTION_CHARS_MAX) {
            throw new Unusable("its description is longer than " + DESCRIPTION_CHARS_MAX + " characters");
        }
        var schema = schema(json.path("inputSchema"));
        var definition = WireJson.object();
        COUNTS.stream().filter(json::has).forEach(field -> definition.set(field, json.path(field)));
        return new McpToolInfo(
                name, VisibleText.of(description), schema, definition, way == Way.HTTP ? headers(schema) : Map.of());
    }

    private static ObjectNode schema(JsonNode sent) {
        if (sent.isMissingNode() || sent.isNull()) {
            return WireJson.object().put("type", "object");
        }
        if (!(sent instanceof ObjectNode object)
                || !object.path("type").asString("object").equals("object")) {
            throw new Unusable("its arguments are not described as an object");
        }
        if (object.toString().length() > SCHEMA_CHARS_MAX) {
            throw new Unusable("the description of its arguments is longer than " + SCHEMA_CHARS_MAX + " characters");
        }
        var copy = object.deepCopy();
        if (!copy.has("type")) {
            copy.put("type", "object");
        }
        makeVisible(copy);
        return copy;
    }

    /// Prose is made visible. What a model would have to repeat exactly cannot be, so it must be visible as it is.
    private static void makeVisible(JsonNode node) {
        if (node instanceof ObjectNode object) {
            for (var property : List.copyOf(object.properties())) {
                requireVisible(property.getKey());
                if (PROSE.contains(property.getKey()) && property.getValue().isString()) {
                    object.put(
                            property.getKey(),
                            VisibleText.of(property.getValue().stringValue()));
                } else {
                    makeVisible(property.getValue());
                }
            }
        } else if (node.isArray()) {
            node.forEach(ToolListing::makeVisible);
        } else if (node.isString()) {
            requireVisible(node.stringValue());
        }
    }

    private static void requireVisible(String text) {
        if (!VisibleText.isVisible(text)) {
            throw new Unusable("its arguments hold characters that nobody sees: " + VisibleText.cut(text, 100));
        }
    }

    private static Map<String, String> headers(ObjectNode schema) {
        var headers = new HashMap<String, String>();
        var taken = new HashSet<String>();
        for (var property : schema.path("properties").properties()) {
            var header = property.getValue().path("x-mcp-header");
            if (header.isMissingNode()) {
                continue;
            }
            var type = property.getValue().path("type").asString("");
            if (!header.isString()
                    || !HEADER.matcher(header.stringValue()).matches()
                    || !HEADER_TYPES.contains(type)
                    || !taken.add(header.stringValue().toLowerCase(Locale.ROOT))) {
                throw new Unusable("the header of its argument '" + property.getKey() + "' cannot be sent");
            }
            headers.put(property.getKey(), header.stringValue());
        }
        return headers;
    }
}

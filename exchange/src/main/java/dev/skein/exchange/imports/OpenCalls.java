package dev.skein.exchange.imports;

import dev.skein.message.Part;
import dev.skein.message.ToolCallId;
import dev.skein.session.Ids;
import dev.skein.wire.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// The calls of a conversation that were not answered yet. A result without an id answers the oldest of them.
final class OpenCalls {

    private final Ids ids;
    private final Map<ToolCallId, String> open = new LinkedHashMap<>();

    OpenCalls(Ids ids) {
        this.ids = ids;
    }

    Part.ToolCall asked(@Nullable String id, String name, JsonNode arguments) {
        var call = new Part.ToolCall(id(id), name, arguments, null);
        open.put(call.id(), name);
        return call;
    }

    Part.ToolResult answered(@Nullable String id, @Nullable String name, String text, boolean isError) {
        return answered(id, name, List.of(new Part.Text(text)), isError);
    }

    Part.ToolResult answered(@Nullable String id, @Nullable String name, List<Part> content, boolean isError) {
        var call = id == null && !open.isEmpty() ? open.keySet().iterator().next() : id(id);
        var asked = open.remove(call);
        var known = name != null ? name : asked != null ? asked : "";
        return new Part.ToolResult(call, known, content, isError, null);
    }

    /// Arguments are JSON, or a text with JSON in it, or, if neither, what they are.
    static JsonNode arguments(@Nullable JsonNode given) {
        if (given == null) {
            return JsonNodeFactory.instance.objectNode();
        }
        if (!given.isString()) {
            return given;
        }
        try {
            var parsed = Json.MAPPER.readTree(given.asString());
            return parsed == null || parsed.isMissingNode() ? given : parsed;
        } catch (JacksonException _) {
            return given;
        }
    }

    private ToolCallId id(@Nullable String id) {
        return new ToolCallId(id == null || id.isBlank() ? ids.message().text() : id);
    }
}

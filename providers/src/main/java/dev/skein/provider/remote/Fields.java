package dev.skein.provider.remote;

import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.session.OutputShape;
import dev.skein.tool.ToolSpec;
import dev.skein.wire.Json;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Fields that several formats share.
public final class Fields {

    /// A list of nothing.
    public static final JsonNode NOTHING = Json.MAPPER.createArrayNode();

    private Fields() {}

    /// A count that may be missing or absurd.
    public static long count(JsonNode number) {
        return Math.max(0, number.asLong(0));
    }

    /// A text, or null if there is none.
    public static @Nullable String text(JsonNode node) {
        var text = node.asString("");
        return text.isEmpty() ? null : text;
    }

    /// Who speaks, as chat completions name them; results are told apart before.
    public static String roleOf(Message message) {
        return switch (message.role()) {
            case SYSTEM -> "system";
            case ASSISTANT -> "assistant";
            case USER, TOOL -> "user";
        };
    }

    /// All text among the parts.
    public static String textOf(List<Part> parts) {
        return parts.stream()
                .filter(Part.Text.class::isInstance)
                .map(part -> ((Part.Text) part).text())
                .collect(Collectors.joining("\n"));
    }

    public static List<Part.Image> imagesOf(List<Part> parts) {
        return parts.stream()
                .filter(Part.Image.class::isInstance)
                .map(Part.Image.class::cast)
                .toList();
    }

    public static String mimeTypeOf(Part.Image image) {
        return image.mimeType() == null ? "image/png" : image.mimeType();
    }

    /// Arguments as an object; what is none is put into one, so that the model sees what it said.
    public static ObjectNode argumentsOf(Part.ToolCall call) {
        return call.arguments() instanceof ObjectNode given
                ? given
                : Json.MAPPER.createObjectNode().set("malformed", call.arguments());
    }

    /// A shape as chat completions name it.
    public static ObjectNode responseFormat(OutputShape shape) {
        var format = Json.MAPPER.createObjectNode().put("type", "json_schema");
        format.putObject("json_schema")
                .put("name", shape.name())
                .put("strict", StrictSchema.is(shape.schema()))
                .set("schema", shape.schema());
        return format;
    }

    /// Tools as chat completions name them.
    public static ArrayNode functions(List<ToolSpec> tools) {
        var functions = Json.MAPPER.createArrayNode();
        tools.forEach(tool -> functions
                .addObject()
                .put("type", "function")
                .putObject("function")
                .put("name", tool.name())
                .put("description", tool.description())
                .set("parameters", tool.parameters()));
        return functions;
    }
}

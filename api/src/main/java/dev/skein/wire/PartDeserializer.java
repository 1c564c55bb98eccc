package dev.skein.wire;

import dev.skein.message.Part;
import java.util.Map;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.node.ObjectNode;

/// Reads a [Part] by its `type`; a part of an unknown type is kept whole.
final class PartDeserializer extends ValueDeserializer<Part> {

    private static final Map<String, Class<? extends Part>> KINDS = Map.of(
            "text", Part.Text.class,
            "image", Part.Image.class,
            "thinking", Part.Thinking.class,
            "tool_call", Part.ToolCall.class,
            "tool_result", Part.ToolResult.class);

    @Override
    public Part deserialize(JsonParser parser, DeserializationContext context) {
        if (!parser.hasToken(JsonToken.START_OBJECT)) {
            return (Part) context.handleUnexpectedToken(Part.class, parser);
        }
        if (!"type".equals(parser.nextName())) {
            return fromTree(remaining(parser, context), context);
        }
        if (parser.nextToken() != JsonToken.VALUE_STRING) {
            var odd = context.getNodeFactory().objectNode();
            odd.set("type", context.readTree(parser));
            parser.nextToken();
            odd.setAll(remaining(parser, context));
            return new Part.Unknown(odd);
        }
        var type = parser.getString();
        var kind = KINDS.get(type);
        parser.nextToken();
        if (kind == null) {
            var body = remaining(parser, context);
            var whole = context.getNodeFactory().objectNode().put("type", type);
            whole.setAll(body);
            return new Part.Unknown(whole);
        }
        return kind.cast(context.findContextualValueDeserializer(context.constructType(kind), null)
                .deserialize(parser, context));
    }

    /// The fields from the one whose name is the current token on.
    private static ObjectNode remaining(JsonParser parser, DeserializationContext context) {
        var body = context.getNodeFactory().objectNode();
        while (parser.hasToken(JsonToken.PROPERTY_NAME)) {
            var name = parser.currentName();
            parser.nextToken();
            body.set(name, context.readTree(parser));
            parser.nextToken();
        }
        return body;
    }

    private static Part fromTree(ObjectNode body, DeserializationContext context) {
        var kind = KINDS.get(body.path("type").asString(""));
        return kind == null ? new Part.Unknown(body) : context.readTreeAsValue(body, kind);
    }
}

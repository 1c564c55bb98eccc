package dev.skein.tools.mcp;

import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.DecimalNode;
import tools.jackson.databind.node.LongNode;
import tools.jackson.databind.node.StringNode;

/// A value as a server wants it. What a person types is text, whatever it means.
final class Fitting {

    private Fitting() {}

    /// Empty if it does not fit.
    static Optional<JsonNode> of(JsonNode value, JsonNode schema) {
        var typed = typed(value, schema.path("type").asString("string"));
        return typed.filter(fits -> isAmong(fits, schema));
    }

    private static Optional<JsonNode> typed(JsonNode value, String type) {
        var text = value.isString() ? value.stringValue().strip() : value.toString();
        return switch (type) {
            case "boolean" ->
                switch (text.toLowerCase(java.util.Locale.ROOT)) {
                    case "true", "yes", "y" -> Optional.of(BooleanNode.TRUE);
                    case "false", "no", "n" -> Optional.of(BooleanNode.FALSE);
                    default -> Optional.empty();
                };
            case "integer" ->
                text.matches("[+-]?[0-9]{1,18}")
                        ? Optional.of(LongNode.valueOf(Long.parseLong(text)))
                        : Optional.empty();
            case "number" ->
                text.matches("[+-]?[0-9]{1,18}([.][0-9]{1,18})?")
                        ? Optional.of(DecimalNode.valueOf(new java.math.BigDecimal(text)))
                        : Optional.empty();
            case "array" -> value.isArray() ? Optional.of(value) : Optional.empty();
            default -> Optional.of(StringNode.valueOf(text));
        };
    }

    private static boolean isAmong(JsonNode value, JsonNode schema) {
        if (!schema.has("enum")) {
            return true;
        }
        for (var one : schema.path("enum")) {
            if (one.equals(value)) {
                return true;
            }
        }
        return false;
    }
}

package dev.skein.provider.remote;

import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The schemas that providers promise to hold answers to: objects that have all the properties they name and no others,
/// described with few words. Any other schema they refuse, or do not promise anything about.
public final class StrictSchema {

    private static final Set<String> KEYWORDS = Set.of(
            "type",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "enum",
            "const",
            "anyOf",
            "$ref",
            "$defs",
            "$schema",
            "title",
            "description");

    private StrictSchema() {}

    /// Whether the outermost is an object, and it all is as they want it.
    public static boolean is(ObjectNode schema) {
        return schema.path("type").asString("").equals("object") && isStrict(schema);
    }

    private static boolean isStrict(JsonNode node) {
        if (!(node instanceof ObjectNode schema)) {
            return false;
        }
        return schema.propertyNames().stream().allMatch(KEYWORDS::contains)
                && (!describesObjects(schema) || isClosed(schema))
                && schema.path("properties").valueStream().allMatch(StrictSchema::isStrict)
                && schema.path("$defs").valueStream().allMatch(StrictSchema::isStrict)
                && schema.path("anyOf").valueStream().allMatch(StrictSchema::isStrict)
                && (!schema.has("items") || isStrict(schema.path("items")));
    }

    private static boolean describesObjects(ObjectNode schema) {
        var type = schema.path("type");
        return schema.has("properties")
                || type.asString("").equals("object")
                || type.valueStream().anyMatch(each -> each.asString("").equals("object"));
    }

    private static boolean isClosed(ObjectNode schema) {
        var required = schema.path("required")
                .valueStream()
                .map(each -> each.asString(""))
                .toList();
        return schema.path("additionalProperties").isBoolean()
                && !schema.path("additionalProperties").booleanValue()
                && !schema.path("properties").isEmpty()
                && required.containsAll(schema.path("properties").propertyNames());
    }
}

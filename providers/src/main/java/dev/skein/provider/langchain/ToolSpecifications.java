package dev.skein.provider.langchain;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import dev.skein.tool.ToolSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Tools in LangChain4j's words.
///
/// Each property's schema passes as it is. Of the outermost schema LangChain4j sends `properties`, `required`, `$defs`
/// and (to OpenAI) the description; every other keyword there, `additionalProperties` and `oneOf` among them, is lost.
public final class ToolSpecifications {

    private ToolSpecifications() {}

    public static List<ToolSpecification> of(List<ToolSpec> tools) {
        return tools.stream().map(ToolSpecifications::of).toList();
    }

    private static ToolSpecification of(ToolSpec tool) {
        return ToolSpecification.builder()
                .name(tool.name())
                .description(tool.description())
                .parameters(parameters(tool.parameters()))
                .build();
    }

    private static JsonObjectSchema parameters(ObjectNode schema) {
        var parameters = JsonObjectSchema.builder()
                .addProperties(raw(schema.path("properties")))
                .definitions(raw(schema.path("$defs")))
                .required(schema.path("required")
                        .valueStream()
                        .map(JsonNode::asString)
                        .toList());
        if (schema.has("description")) {
            parameters.description(schema.path("description").asString());
        }
        return parameters.build();
    }

    private static Map<String, JsonSchemaElement> raw(JsonNode schemas) {
        var raw = new LinkedHashMap<String, JsonSchemaElement>();
        schemas.forEachEntry((name, schema) -> raw.put(name, raw(name, schema)));
        return raw;
    }

    /// `true` is a schema, too: it allows everything.
    private static JsonSchemaElement raw(String name, JsonNode schema) {
        if (!schema.isObject() && !schema.isBoolean()) {
            throw new IllegalArgumentException("the schema of '" + name + "' is no JSON schema");
        }
        return JsonRawSchema.from(schema.isObject() ? schema.toString() : "{}");
    }
}

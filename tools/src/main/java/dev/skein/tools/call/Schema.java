package dev.skein.tools.call;

import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Says which arguments a tool takes, as a JSON schema. For one thread.
public final class Schema {

    private final ObjectNode properties = JsonNodeFactory.instance.objectNode();
    private final List<String> required;

    private Schema(List<String> required) {
        this.required = required;
    }

    /// A schema of an object in which these must be there.
    public static Schema requiring(String... names) {
        return new Schema(List.of(names));
    }

    public Schema text(String name, String description) {
        return property(name, "string", description);
    }

    public Schema number(String name, String description) {
        return property(name, "integer", description);
    }

    public Schema flag(String name, String description) {
        return property(name, "boolean", description);
    }

    public Schema texts(String name, String description) {
        property(name, "array", description);
        properties.withObject(name).putObject("items").put("type", "string");
        return this;
    }

    /// One of these texts.
    public Schema choice(String name, String description, List<String> values) {
        property(name, "string", description);
        var allowed = properties.withObject(name).putArray("enum");
        values.forEach(allowed::add);
        return this;
    }

    public ObjectNode json() {
        var schema = JsonNodeFactory.instance.objectNode().put("type", "object");
        schema.set("properties", properties.deepCopy());
        var names = schema.putArray("required");
        required.forEach(names::add);
        return schema.put("additionalProperties", false);
    }

    private Schema property(String name, String type, String description) {
        properties.putObject(name).put("type", type).put("description", description);
        return this;
    }
}

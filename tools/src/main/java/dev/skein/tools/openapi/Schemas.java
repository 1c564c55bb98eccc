package dev.skein.tools.openapi;

import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Puts what a document refers to in place of the reference, because a model sees one operation and not the document.
/// Only
/// the document itself is looked into: nothing is fetched.
record Schemas(JsonNode document) {

    private static final int DEPTH_MAX = 40;
    private static final int NODES_MAX = 5_000;

    /// The node, or what it refers to.
    JsonNode followed(JsonNode node) {
        var found = node;
        for (int steps = 0; found.has("$ref"); steps++) {
            var reference = found.path("$ref").asString("");
            if (!reference.startsWith("#/") || steps > DEPTH_MAX) {
                throw new IllegalArgumentException("refers to '" + reference + "', which is not in the document");
            }
            found = document.at(reference.substring(1));
            if (found.isMissingNode()) {
                throw new IllegalArgumentException("refers to '" + reference + "', which is not in the document");
            }
        }
        return found;
    }

    /// The schema without references. Where it refers to itself, anything goes.
    JsonNode whole(JsonNode schema) {
        return new Copy().of(schema, 0);
    }

    private final class Copy {
        private final Set<String> within = new HashSet<>();
        private int nodes;

        JsonNode of(JsonNode node, int depth) {
            if (!node.has("$ref")) {
                return inner(node, depth);
            }
            var reference = node.path("$ref").asString("");
            if (!within.add(reference)) {
                return JsonNodeFactory.instance.objectNode();
            }
            var copy = inner(followed(node), depth);
            within.remove(reference);
            return copy;
        }

        private JsonNode inner(JsonNode found, int depth) {
            if (++nodes > NODES_MAX) {
                throw new IllegalArgumentException("its schema has more than " + NODES_MAX + " parts");
            }
            if (depth > DEPTH_MAX) {
                return JsonNodeFactory.instance.objectNode();
            }
            if (found.isObject()) {
                var copy = JsonNodeFactory.instance.objectNode();
                found.properties().forEach(field -> copy.set(field.getKey(), of(field.getValue(), depth + 1)));
                return copy;
            }
            if (found.isArray()) {
                var copy = JsonNodeFactory.instance.arrayNode();
                found.forEach(item -> copy.add(of(item, depth + 1)));
                return copy;
            }
            return found;
        }
    }

    /// An object schema to put properties into.
    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode().put("type", "object");
    }
}

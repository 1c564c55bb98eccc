package dev.skein.engine.output;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.PatternSyntaxException;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Goes through all schemas within a schema: references stay inside and lead somewhere, and patterns are patterns.
/// Used once.
final class SchemaWalk {

    private static final Set<String> MAPS =
            Set.of("properties", "patternProperties", "$defs", "definitions", "dependentSchemas");
    private static final Set<String> ONES = Set.of(
            "items",
            "additionalItems",
            "additionalProperties",
            "contains",
            "propertyNames",
            "not",
            "if",
            "then",
            "else",
            "unevaluatedItems",
            "unevaluatedProperties",
            "contentSchema");
    private static final Set<String> LISTS = Set.of("allOf", "anyOf", "oneOf", "prefixItems", "items");
    private static final List<String> REFERENCES = List.of("$ref", "$dynamicRef", "$recursiveRef");
    private static final List<String> ANCHORS = List.of("$anchor", "$dynamicAnchor");

    private final ObjectNode root;
    private final Set<String> anchors = new HashSet<>();

    private interface Visit {
        void visit(ObjectNode schema, String place);
    }

    SchemaWalk(ObjectNode root) {
        this.root = root;
    }

    void check() {
        each(root, "", this::collect);
        each(root, "", this::check);
    }

    private void collect(ObjectNode schema, String place) {
        ANCHORS.forEach(keyword -> anchors.add(schema.path(keyword).asString("")));
    }

    private void check(ObjectNode schema, String place) {
        for (var keyword : REFERENCES) {
            if (schema.has(keyword)) {
                reference(schema.path(keyword).asString(""), place + "/" + keyword);
            }
        }
        if (!place.isEmpty() && schema.has("$id")) {
            throw Shapes.broken(place + "/$id", "only the outermost schema may have an $id; refer to '#/$defs/NAME'");
        }
        if (schema.has("pattern")) {
            pattern(schema.path("pattern").asString(""), place + "/pattern");
        }
        schema.path("patternProperties").forEachEntry((key, _) -> pattern(key, place + "/patternProperties/" + key));
    }

    private void reference(String to, String place) {
        if (!to.startsWith("#")) {
            throw Shapes.broken(
                    place, "'" + to + "' is elsewhere, and nothing is fetched; put it into $defs and refer to that");
        }
        var fragment = to.substring(1);
        var isPointer = fragment.isEmpty() || fragment.startsWith("/");
        var found = isPointer ? pointsSomewhere(fragment) : anchors.contains(fragment);
        if (!found) {
            throw Shapes.broken(place, "there is no '" + to + "' in the schema");
        }
    }

    private boolean pointsSomewhere(String fragment) {
        try {
            var plain = URLDecoder.decode(fragment.replace("+", "%2B"), StandardCharsets.UTF_8);
            var target = root.at(JsonPointer.compile(plain));
            return target.isObject() || target.isBoolean();
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private static void pattern(String pattern, String place) {
        try {
            var _ = CheckBudget.compiled(pattern);
        } catch (PatternSyntaxException e) {
            throw Shapes.broken(place, "this is no regular expression: " + e.getDescription());
        }
    }

    private static void each(JsonNode node, String place, Visit visit) {
        if (!(node instanceof ObjectNode schema)) {
            return;
        }
        visit.visit(schema, place);
        schema.forEachEntry((keyword, value) -> {
            var at = place + "/" + keyword;
            if (MAPS.contains(keyword)) {
                value.forEachEntry((key, inner) -> each(inner, at + "/" + key, visit));
            } else if (LISTS.contains(keyword) && value.isArray()) {
                for (int i = 0; i < value.size(); i++) {
                    each(value.get(i), at + "/" + i, visit);
                }
            } else if (ONES.contains(keyword)) {
                each(value, at, visit);
            }
        });
    }
}

package dev.skein.tools.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// A digest of what a tool says it is. The order of fields does not count.
final class Fingerprint {

    private Fingerprint() {}

    static String of(JsonNode definition) {
        try {
            var hash = MessageDigest.getInstance("SHA-256");
            return HexFormat.of()
                    .formatHex(hash.digest(sorted(definition).toString().getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static JsonNode sorted(JsonNode node) {
        if (node.isObject()) {
            var fields = new TreeMap<String, JsonNode>();
            node.properties().forEach(field -> fields.put(field.getKey(), sorted(field.getValue())));
            return JsonNodeFactory.instance.objectNode().setAll(fields);
        }
        if (node.isArray()) {
            var items = JsonNodeFactory.instance.arrayNode();
            node.forEach(item -> items.add(sorted(item)));
            return items;
        }
        return node;
    }
}

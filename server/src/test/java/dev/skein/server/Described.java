package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.skein.server.route.Match;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// Holds answers to the API's description.
final class Described {

    static final JsonNode DOCUMENT =
            new YAMLMapper().readTree(Described.class.getResourceAsStream("/dev/skein/server/openapi.yaml"));

    private static final SchemaRegistry REGISTRY =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private static final Map<String, Schema> SCHEMAS = new ConcurrentHashMap<>();

    private Described() {}

    /// A status that the route does not have must be an error; what is JSON must have the shape that is described.
    static void hold(String method, String path, Client.Answer answer) {
        if (!answer.header("Content-Type").startsWith("application/json")) {
            return;
        }
        var schema = "/components/schemas/Error";
        if (path.startsWith("/healthz/")) {
            schema = "/components/schemas/Health";
        } else if (answer.status() < 400
                && Match.of(method, path.replaceAll("\\?.*", "")) instanceof Match.Found found) {
            var route = found.route();
            var operation = DOCUMENT.path("paths").path(route.path()).path(method.toLowerCase(java.util.Locale.ROOT));
            var content = operation
                    .path("responses")
                    .path(Integer.toString(answer.status()))
                    .path("content")
                    .path("application/json");
            assertThat(content.isMissingNode())
                    .as(route + " says nothing about JSON with status " + answer.status())
                    .isFalse();
            if (content.isEmpty()) {
                return;
            }
            schema = content.path("schema").path("$ref").asString().substring(1);
        }
        assertThat(complaints(schema, answer.json()))
                .as(method + " " + path + " " + answer.body())
                .isEmpty();
    }

    static void holdEvent(Client.Event event) {
        var schema = "/components/schemas/EventData/properties/" + event.name();
        assertThat(DOCUMENT.at(schema).isMissingNode())
                .as("event " + event.name())
                .isFalse();
        assertThat(complaints(schema, event.data())).as(event.toString()).isEmpty();
    }

    private static Iterable<?> complaints(String pointer, JsonNode value) {
        return SCHEMAS.computeIfAbsent(pointer, Described::schema).validate(value);
    }

    private static Schema schema(String pointer) {
        ObjectNode root = JsonNodeFactory.instance.objectNode().put("$ref", "#" + pointer);
        root.set("components", DOCUMENT.path("components"));
        return REGISTRY.getSchema(root);
    }
}

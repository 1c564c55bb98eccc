package dev.skein.engine.output;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.skein.failure.InvalidRequest;
import dev.skein.message.Excerpt;
import dev.skein.session.OutputShape;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Takes schemas from strangers, or says what is wrong with them and where.
public final class Shapes {

    /// What a shape is called if nobody gives it a name.
    public static final String UNNAMED = "answer";

    /// The longest schema, in characters without spaces between them.
    public static final int LENGTH_MAX = 64 * 1024;

    /// How deep a schema may nest.
    public static final int DEPTH_MAX = 48;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final int PROBLEM_LENGTH_MAX = 300;

    private Shapes() {}

    /// The schemas of the schemas, which are read when first needed.
    private static final class Drafts {
        private static final SchemaRegistry REGISTRY =
                SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
        private static final Map<SpecificationVersion, Schema> READ = new EnumMap<>(SpecificationVersion.class);

        private static synchronized Schema of(SpecificationVersion draft) {
            return READ.computeIfAbsent(draft, each -> REGISTRY.getSchema(SchemaLocation.of(each.getDialectId())));
        }
    }

    /// Any object.
    public static OutputShape anyObject() {
        return new OutputShape(UNNAMED, JsonNodeFactory.instance.objectNode().put("type", "object"));
    }

    /// A shape that a stranger gave.
    ///
    /// @throws InvalidRequest if the schema is broken, too large or too deep, or needs something from elsewhere
    public static OutputShape of(String name, JsonNode given) {
        if (!NAME.matcher(name).matches()) {
            throw new InvalidRequest(
                    "a schema's name has 1 to 64 letters, digits, '_' and '-', not '" + Excerpt.line(name, 80) + "'");
        }
        if (!(given instanceof ObjectNode schema)) {
            throw broken("", "a schema is an object, for example {\"type\": \"object\"}");
        }
        requireModest(schema, "", 1);
        if (schema.toString().length() > LENGTH_MAX) {
            throw broken("", "it is longer than " + LENGTH_MAX + " characters; make it shorter");
        }
        requireKnownKeywords(schema);
        new SchemaWalk(schema).check();
        var shape = new OutputShape(name, schema.deepCopy());
        var _ = ShapeCheck.of(shape);
        return shape;
    }

    private static void requireModest(JsonNode node, String place, int depth) {
        if (depth > DEPTH_MAX) {
            throw broken(Excerpt.cut(place, 80), "it nests deeper than " + DEPTH_MAX + " levels; use $defs");
        }
        if (node.isContainer()) {
            node.forEachEntry((key, value) -> requireModest(value, place + "/" + key, depth + 1));
            if (node.isArray()) {
                for (int i = 0; i < node.size(); i++) {
                    requireModest(node.get(i), place + "/" + i, depth + 1);
                }
            }
        } else if (!OutputShape.hasModestNumbers(node)) {
            throw broken(place, "the number is too long");
        }
    }

    /// As the draft describes them.
    private static void requireKnownKeywords(ObjectNode schema) {
        var errors = Drafts.of(draft(schema)).validate(schema);
        if (!errors.isEmpty()) {
            var first = errors.getFirst();
            throw broken(first.getInstanceLocation().toString(), String.valueOf(first.getMessage()));
        }
    }

    private static SpecificationVersion draft(ObjectNode schema) {
        var named = schema.path("$schema");
        if (named.isMissingNode()) {
            return SpecificationVersion.DRAFT_2020_12;
        }
        return SpecificationVersion.fromDialectId(named.asString(""))
                .orElseThrow(() -> broken(
                        "/$schema",
                        "this draft is not known; there are "
                                + Arrays.stream(SpecificationVersion.values())
                                        .map(SpecificationVersion::getDialectId)
                                        .collect(Collectors.joining(", "))));
    }

    static InvalidRequest broken(String place, String why) {
        return new InvalidRequest("the schema is not usable at '" + (place.isEmpty() ? "/" : place) + "': "
                + Excerpt.line(why, PROBLEM_LENGTH_MAX));
    }
}

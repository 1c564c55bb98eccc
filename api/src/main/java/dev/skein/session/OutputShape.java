package dev.skein.session;

import static java.util.Objects.requireNonNull;

import dev.skein.wire.Json;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// What a loop's answer has to look like: JSON that a schema describes.
///
/// @param name what providers call it
/// @param schema a JSON Schema
public record OutputShape(String name, ObjectNode schema) {

    /// How deep an answer may nest.
    public static final int DEPTH_MAX = 64;

    /// The longest number in an answer, in characters, and its largest exponent.
    public static final int NUMBER_MAX = 100;

    private static final Pattern FENCED = Pattern.compile("```[A-Za-z0-9]*[ \t]*\r?\n(.*?)\r?\n?```", Pattern.DOTALL);

    private static final JsonMapper STRICT = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEPTH_MAX)
                            .maxNumberLength(NUMBER_MAX)
                            .maxStringLength(Json.TEXT_MAX)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    public OutputShape {
        requireNonNull(name, "name");
        requireNonNull(schema, "schema");
    }

    /// These instructions, and what the answer has to look like: for a model whose provider does not see to that.
    public String told(@Nullable String instructions) {
        var words = "Your final answer must be JSON that fits this JSON Schema, and nothing else: no words before or"
                + " after it. You may use tools first.\n" + schema;
        return instructions == null || instructions.isBlank() ? words : instructions + "\n\n" + words;
    }

    /// What was read, or why it could not be.
    public record Reading(@Nullable JsonNode value, String problem) {}

    /// Reads an answer as JSON, with or without a code fence around it. Whether it fits the schema is not asked here.
    public static Reading read(String answer) {
        var text = answer.strip();
        var fenced = FENCED.matcher(text);
        try {
            var value = STRICT.readTree(fenced.matches() ? fenced.group(1) : text);
            return value == null || value.isMissingNode() ? new Reading(null, "there is nothing in it") : sized(value);
        } catch (JacksonException e) {
            var place = e.getLocation();
            return new Reading(
                    null,
                    e.getOriginalMessage()
                            + (place == null
                                    ? ""
                                    : " (line " + place.getLineNr() + ", column " + place.getColumnNr() + ")"));
        }
    }

    /// The value that an answer holds, if it is JSON.
    public static Optional<JsonNode> value(String answer) {
        return Optional.ofNullable(read(answer).value());
    }

    private static Reading sized(JsonNode value) {
        return hasModestNumbers(value) ? new Reading(value, "") : new Reading(null, "a number in it is too long");
    }

    /// Whether all numbers can be written out: a short `1e999999999` would fill the memory of whoever computes with it.
    public static boolean hasModestNumbers(JsonNode value) {
        if (value.isBigDecimal()) {
            var number = value.decimalValue();
            return Math.abs((long) number.scale()) <= 4 * NUMBER_MAX
                    && (long) number.precision() - number.scale() <= 4 * NUMBER_MAX;
        }
        return value.valueStream().allMatch(OutputShape::hasModestNumbers);
    }
}

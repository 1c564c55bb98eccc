package dev.skein.redaction;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.skein.message.Part;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// Replaces secrets in texts by `[REDACTED:kind]`.
///
/// Two sorts are found: the values it was given, also in Base64, URL-encoded or escaped as JSON; and what has the
/// [SecretShapes] of keys, tokens and passwords. Time grows with the length of the text, whatever is in it. Safe for
/// use by many threads.
public final class Redaction {

    /// Finds known shapes only.
    public static final Redaction SHAPES = new Redaction(Map.of());

    /// Shorter values are not looked for: they would be found everywhere.
    public static final int LENGTH_MIN = 6;

    private volatile List<Secret> secrets;

    /// A text to look for and the kind to put in its place.
    private record Secret(String text, String kind) {}

    private Redaction(Map<String, String> values) {
        this.secrets = sorted(values, List.of());
    }

    private static List<Secret> sorted(Map<String, String> values, List<Secret> known) {
        var texts = new TreeMap<String, String>();
        known.forEach(secret -> texts.put(secret.text(), secret.kind()));
        values.forEach((kind, value) -> spellings(value).forEach(text -> texts.putIfAbsent(text, kind)));
        var sorted = new ArrayList<Secret>();
        texts.forEach((text, kind) -> sorted.add(new Secret(text, kind)));
        sorted.sort((one, other) ->
                Integer.compare(other.text().length(), one.text().length()));
        return List.copyOf(sorted);
    }

    /// Finds these values too. A key of the map is the kind that stands in the place of its value.
    public static Redaction of(Map<String, String> values) {
        return new Redaction(values);
    }

    /// Finds these values too, from now on: a secret may come up while others are being kept.
    ///
    /// @throws IllegalStateException for [#SHAPES], which everybody shares
    public synchronized void learn(Map<String, String> values) {
        if (this == SHAPES) {
            throw new IllegalStateException("what everybody shares learns nothing");
        }
        secrets = sorted(values, secrets);
    }

    /// The text without secrets; the same text if there are none.
    public String redact(String text) {
        return SecretShapes.redact(redactKnown(text));
    }

    /// The text without the values it was given, whatever else in it may look like a secret: a person may well speak of
    /// keys.
    public String redactKnown(String text) {
        var clean = text;
        for (var secret : secrets) {
            clean = clean.replace(secret.text(), marker(secret.kind()));
        }
        return clean;
    }

    /// The same for the parts of a message: what is said or thought, and the arguments of calls. A thought that is
    /// changed loses its signature, which would not fit any more.
    public List<Part> redactKnown(List<Part> parts) {
        return secrets.isEmpty() ? parts : parts.stream().map(this::redactKnown).toList();
    }

    private Part redactKnown(Part part) {
        return switch (part) {
            case Part.Text(var text) -> new Part.Text(redactKnown(text));
            case Part.Thinking(var text, var signature, var redacted) -> {
                var clean = redactKnown(text);
                yield new Part.Thinking(clean, clean.equals(text) ? signature : null, redacted);
            }
            case Part.ToolCall(var id, var name, var arguments, var signature) ->
                new Part.ToolCall(id, name, inTexts(arguments, this::redactKnown), signature);
            case Part.Image _, Part.ToolResult _, Part.Unknown _ -> part;
        };
    }

    /// Takes the known values out of a text that comes in pieces. Used by one thread, for one text.
    public RedactedStream stream() {
        return new RedactedStream(this, secrets.stream().map(Secret::text).toList());
    }

    /// The same value without secrets in its texts. Names of fields are texts too.
    public JsonNode redact(JsonNode json) {
        return inTexts(json, this::redact);
    }

    private static JsonNode inTexts(JsonNode json, UnaryOperator<String> change) {
        return switch (json) {
            case StringNode text -> JsonNodeFactory.instance.stringNode(change.apply(text.stringValue()));
            case ArrayNode array -> {
                var clean = JsonNodeFactory.instance.arrayNode();
                array.forEach(item -> clean.add(inTexts(item, change)));
                yield clean;
            }
            case ObjectNode object -> {
                var clean = JsonNodeFactory.instance.objectNode();
                object.properties()
                        .forEach(field -> clean.set(change.apply(field.getKey()), inTexts(field.getValue(), change)));
                yield clean;
            }
            default -> json;
        };
    }

    /// A tool's result without secrets in its texts and its data. Other parts, pictures among them, stay as they are.
    public Part.ToolResult redact(Part.ToolResult result) {
        var content = result.content().stream()
                .map(part -> part instanceof Part.Text(var text) ? new Part.Text(redact(text)) : part)
                .toList();
        return new Part.ToolResult(
                result.call(), result.name(), content, result.isError(), redactOrNull(result.data()));
    }

    static String marker(String kind) {
        return "[REDACTED:" + kind + "]";
    }

    private @Nullable JsonNode redactOrNull(@Nullable JsonNode data) {
        return data == null ? null : redact(data);
    }

    private static Stream<String> spellings(String value) {
        var quoted = JsonNodeFactory.instance.stringNode(value).toString();
        var base64 = Base64.getEncoder().encodeToString(value.getBytes(UTF_8));
        return value.length() < LENGTH_MIN
                ? Stream.of()
                : Stream.of(
                        value,
                        quoted.substring(1, quoted.length() - 1),
                        URLEncoder.encode(value, UTF_8),
                        base64,
                        base64.replace("=", ""));
    }
}

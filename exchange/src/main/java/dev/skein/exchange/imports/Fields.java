package dev.skein.exchange.imports;

import dev.skein.failure.UnreadableImport;
import dev.skein.session.OwnNames;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The fields of an object in another tool's file. What was asked for is gone; what nobody knew stays in [#rest].
///
/// A field that is `null` counts as missing. One of another type than asked for makes the file unreadable, with
/// words that name the field.
final class Fields {

    /// A few of these can be added up.
    private static final long COUNT_MAX = 1L << 50;

    private final ObjectNode left;
    private final String source;
    private final String place;

    private Fields(ObjectNode fields, String source, String place) {
        this.left = JsonNodeFactory.instance.objectNode();
        left.setAll(fields);
        this.source = source;
        this.place = place;
    }

    /// `place` says where in the file, for example "message 3".
    static Fields of(@Nullable JsonNode node, String source, String place) {
        if (node instanceof ObjectNode object) {
            return new Fields(object, source, place);
        }
        throw new UnreadableImport(source, "has no object where " + place + " should be");
    }

    boolean has(String key) {
        return left.hasNonNull(key);
    }

    @Nullable
    JsonNode take(String key) {
        var value = left.remove(key);
        return value == null || value.isNull() ? null : value;
    }

    void drop(String... keys) {
        left.remove(List.of(keys));
    }

    @Nullable
    String text(String key) {
        var value = take(key);
        if (value != null && !value.isString() && !value.isNumber()) {
            throw wrong(key, "a text");
        }
        return value == null ? null : value.asString();
    }

    String text(String key, String otherwise) {
        var text = text(key);
        return text == null ? otherwise : text;
    }

    /// A text that names something; null if it is blank.
    @Nullable
    String id(String key) {
        var id = text(key);
        return id == null || id.isBlank() ? null : id;
    }

    String id(String key, String otherwise) {
        var id = id(key);
        return id == null ? otherwise : id;
    }

    String requiredText(String key) {
        var text = text(key);
        if (text == null || text.isBlank()) {
            throw missing(key);
        }
        return text;
    }

    /// A time in RFC 3339 or in milliseconds since 1970. One that cannot be read stays in the rest.
    Instant time(String key, Instant otherwise) {
        var value = left.get(key);
        try {
            if (value != null && value.isString()) {
                var time = OffsetDateTime.parse(value.asString()).toInstant();
                left.remove(key);
                return time;
            }
            if (value != null && value.canConvertToLong()) {
                var time = Instant.ofEpochMilli(value.asLong());
                left.remove(key);
                return time;
            }
        } catch (DateTimeException _) {
            // Kept as it is.
        }
        return otherwise;
    }

    boolean is(String key) {
        var value = take(key);
        if (value != null && !value.isBoolean()) {
            throw wrong(key, "true or false");
        }
        return value != null && value.asBoolean();
    }

    /// A number from 0 on, cut to what is sane.
    long count(String key) {
        var value = take(key);
        if (value != null && !value.isNumber()) {
            throw wrong(key, "a number");
        }
        return value == null ? 0 : Math.clamp((long) value.asDouble(), 0, COUNT_MAX);
    }

    @Nullable
    Integer number(String key) {
        return has(key) ? Integer.valueOf((int) Math.min(Integer.MAX_VALUE, count(key))) : null;
    }

    @Nullable
    Double decimal(String key) {
        var value = take(key);
        if (value != null && !value.isNumber()) {
            throw wrong(key, "a number");
        }
        return value == null ? null : value.asDouble();
    }

    List<JsonNode> list(String key) {
        var value = take(key);
        if (value != null && !value.isArray()) {
            throw wrong(key, "a list");
        }
        return value == null ? List.of() : List.copyOf(value.values());
    }

    /// The objects in a list.
    List<Fields> objects(String key) {
        var list = list(key);
        var objects = new ArrayList<Fields>(list.size());
        for (var item : list) {
            objects.add(of(item, source, "'" + key + "' number " + (objects.size() + 1) + " of " + place));
        }
        return objects;
    }

    @Nullable
    Fields object(String key) {
        var value = take(key);
        return value == null ? null : of(value, source, "'" + key + "' of " + place);
    }

    boolean isEmpty() {
        return left.isEmpty();
    }

    /// What nobody asked for.
    ObjectNode rest() {
        return left;
    }

    /// The same as metadata, for us not to mistake it for ours.
    Map<String, JsonNode> metadata() {
        var metadata = new LinkedHashMap<String, JsonNode>();
        left.forEachEntry(metadata::put);
        return OwnNames.imported(metadata);
    }

    String source() {
        return source;
    }

    UnreadableImport missing(String key) {
        return new UnreadableImport(source, "has no '" + key + "' in " + place);
    }

    UnreadableImport wrong(String key, String expected) {
        return new UnreadableImport(source, "has a '" + key + "' in " + place + " that is not " + expected);
    }
}

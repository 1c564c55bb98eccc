package dev.skein.wire;

import static java.util.Objects.requireNonNull;

import dev.skein.session.LoopEvent;
import dev.skein.session.SessionEvent;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.node.ObjectNode;

/// Events as JSON objects: `{"type":"message_ended","at":"…",…}`, and back.
///
/// An event of an unknown type, or of a known type that does not fit, is read as [SessionEvent.Opaque]. Fields
/// that an event has beyond those known here come back in [Decoded#raw()]; giving that to [#encode] writes
/// them again.
public final class EventCodec {

    private static final Pattern HUMP = Pattern.compile("(?<=[a-z])(?=[A-Z])");
    private static final ObjectReader EXACT = Json.MAPPER
            .readerFor(ObjectNode.class)
            .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .with(new ExactNumbers());

    /// Writes events one after the other, with nothing between them.
    static final ObjectWriter WRITER = Json.MAPPER
            .writer()
            .withRootValueSeparator("")
            .without(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .without(SerializationFeature.FLUSH_AFTER_WRITE_VALUE);

    private static final Map<Class<?>, String> NAMES = new HashMap<>();
    private static final Map<String, ObjectReader> READERS = new HashMap<>();
    private static final Map<Class<?>, List<Function<SessionEvent, @Nullable Object>>> REQUIRED = new HashMap<>();

    static {
        Stream.of(SessionEvent.class, LoopEvent.class)
                .flatMap(family -> Arrays.stream(family.getPermittedSubclasses()))
                .filter(type -> type.isRecord() && type != SessionEvent.Opaque.class)
                .forEach(type -> {
                    var name =
                            HUMP.matcher(type.getSimpleName()).replaceAll("_").toLowerCase(Locale.ROOT);
                    NAMES.put(type, name);
                    READERS.put(name, Json.MAPPER.readerFor(type));
                    REQUIRED.put(type, required(type));
                });
    }

    private EventCodec() {}

    /// An event read from JSON. `raw` is the whole object, if it has fields that `event` cannot hold.
    public record Decoded(SessionEvent event, @Nullable ObjectNode raw) {}

    /// The event's type on the wire, for example `loop_started`.
    public static String typeOf(SessionEvent event) {
        return event instanceof SessionEvent.Opaque opaque
                ? opaque.type()
                : requireNonNull(NAMES.get(event.getClass()), "every event has a name");
    }

    /// The event as one JSON object, in UTF-8 without line breaks, its type first.
    public static byte[] encode(SessionEvent event, @Nullable ObjectNode raw) {
        if (event instanceof SessionEvent.Opaque opaque) {
            return Json.MAPPER.writeValueAsBytes(typeFirst(opaque));
        }
        if (raw != null) {
            return Json.MAPPER.writeValueAsBytes(tree(event, raw));
        }
        var fields = Json.MAPPER.writeValueAsBytes(event);
        var out = new ByteArrayOutputStream(fields.length + 40);
        out.writeBytes(("{\"type\":\"" + typeOf(event) + "\",").getBytes(StandardCharsets.US_ASCII));
        out.write(fields, 1, fields.length - 1);
        return out.toByteArray();
    }

    /// The event as a JSON tree.
    public static ObjectNode tree(SessionEvent event, @Nullable ObjectNode raw) {
        if (event instanceof SessionEvent.Opaque opaque) {
            return opaque.body();
        }
        var known = Json.MAPPER.createObjectNode().put("type", typeOf(event));
        known.setAll((ObjectNode) Json.MAPPER.valueToTree(event));
        return raw == null ? known : withUnknown(known, raw);
    }

    /// Reads the JSON object in `json[from, to)`.
    ///
    /// @throws JacksonException if it is not a JSON object
    public static Decoded decode(byte[] json, int from, int to) {
        var type = leadingType(json, from, to);
        var reader =
                READERS.get(type.isEmpty() ? object(json, from, to).path("type").asString("") : type);
        if (reader != null) {
            try {
                var note = new UnknownFieldNote();
                SessionEvent event =
                        reader.withAttribute(UnknownFieldNote.class, note).readValue(json, from, to - from);
                checkComplete(event);
                return new Decoded(event, note.seen() ? object(json, from, to) : null);
            } catch (JacksonException | IllegalArgumentException | NullPointerException _) {
                return new Decoded(opaque(object(json, from, to)), null);
            }
        }
        return new Decoded(opaque(object(json, from, to)), null);
    }

    /// Reads an event from a JSON tree.
    public static Decoded decode(ObjectNode body) {
        var reader = READERS.get(body.path("type").asString(""));
        if (reader == null) {
            return new Decoded(opaque(body), null);
        }
        try {
            var note = new UnknownFieldNote();
            SessionEvent event =
                    reader.withAttribute(UnknownFieldNote.class, note).readValue(body);
            checkComplete(event);
            return new Decoded(event, note.seen() ? body : null);
        } catch (JacksonException | IllegalArgumentException | NullPointerException _) {
            return new Decoded(opaque(body), null);
        }
    }

    /// Every component that is not marked as nullable must have a value.
    private static void checkComplete(SessionEvent event) {
        for (var required : REQUIRED.getOrDefault(event.getClass(), List.of())) {
            if (required.apply(event) == null) {
                throw new IllegalArgumentException("an incomplete " + typeOf(event));
            }
        }
    }

    private static List<Function<SessionEvent, @Nullable Object>> required(Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .filter(component -> !component.getType().isPrimitive()
                        && !component.getAnnotatedType().isAnnotationPresent(Nullable.class))
                .map(component -> accessor(component.getAccessor()))
                .toList();
    }

    private static Function<SessionEvent, @Nullable Object> accessor(Method method) {
        return event -> {
            try {
                return method.invoke(event);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("cannot read " + method, e);
            }
        };
    }

    /// Numbers keep every digit, so that what is not understood is kept as it was.
    private static ObjectNode object(byte[] json, int from, int to) {
        ObjectNode body;
        try {
            body = EXACT.readValue(json, from, to - from);
        } catch (NumberFormatException _) {
            // Jackson does not say it in its own words when an exponent has more than ten digits.
            throw MismatchedInputException.from((JsonParser) null, ObjectNode.class, "a number is out of all bounds");
        }
        if (body == null) {
            throw MismatchedInputException.from((JsonParser) null, ObjectNode.class, "null is not a JSON object");
        }
        return body;
    }

    private static SessionEvent opaque(ObjectNode body) {
        return new SessionEvent.Opaque(timeOf(body), body.path("type").asString(""), body);
    }

    private static Instant timeOf(ObjectNode body) {
        try {
            return Instant.parse(body.path("at").asString(""));
        } catch (DateTimeParseException _) {
            return Instant.EPOCH;
        }
    }

    private static ObjectNode typeFirst(SessionEvent.Opaque opaque) {
        var whole = Json.MAPPER.createObjectNode().put("type", opaque.type());
        whole.setAll(opaque.body());
        return whole;
    }

    /// `known` plus everything of `raw` that it lacks, at every level where both have an object or an equally
    /// long array. A null is not written, so one in `raw` is not unknown.
    private static ObjectNode withUnknown(ObjectNode known, ObjectNode raw) {
        raw.forEachEntry((name, value) -> {
            var mine = known.get(name);
            if (mine == null) {
                if (!value.isNull()) {
                    known.set(name, value);
                }
            } else {
                merge(mine, value);
            }
        });
        return known;
    }

    private static void merge(JsonNode known, JsonNode raw) {
        if (known instanceof ObjectNode knownObject && raw instanceof ObjectNode rawObject) {
            withUnknown(knownObject, rawObject);
        } else if (known.isArray() && raw.isArray() && known.size() == raw.size()) {
            for (int i = 0; i < known.size(); i++) {
                merge(known.get(i), raw.get(i));
            }
        }
    }

    /// The value of `type` if it is the object's first field, as it always is in what Skein writes.
    private static String leadingType(byte[] json, int from, int to) {
        var start = from + TYPE_FIRST.length;
        if (to < start || !Arrays.equals(json, from, start, TYPE_FIRST, 0, TYPE_FIRST.length)) {
            return "";
        }
        for (int i = start; i < Math.min(to, start + 64); i++) {
            if (json[i] == '"') {
                return new String(json, start, i - start, StandardCharsets.US_ASCII);
            }
        }
        return "";
    }

    private static final byte[] TYPE_FIRST = "{\"type\":\"".getBytes(StandardCharsets.US_ASCII);
}

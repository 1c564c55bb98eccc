package dev.skein.wire;

import dev.skein.message.Part;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopStatus;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Makes events of every type out of their declarations, so that no new event goes untested.
final class Samples {

    /// How much of what may be left out is left out.
    enum Fill {
        EVERYTHING,
        NOTHING_OPTIONAL,
        AS_CHANCE_HAS_IT
    }

    private static final int DEPTH_MAX = 4;

    private final Random random;
    private final Fill fill;
    private int depth;

    Samples(long seed, Fill fill) {
        this.random = new Random(seed);
        this.fill = fill;
    }

    /// Every type of event that has a name on the wire.
    static List<Class<?>> types() {
        return Stream.of(SessionEvent.class, LoopEvent.class)
                .flatMap(family -> Arrays.stream(family.getPermittedSubclasses()))
                .filter(type -> type.isRecord() && type != SessionEvent.Opaque.class)
                .<Class<?>>map(type -> type)
                .toList();
    }

    SessionEvent event(Class<?> type) {
        return (SessionEvent) record(type);
    }

    private Object record(Class<?> type) {
        if (type == SessionAlias.class) {
            return new SessionAlias("name " + random.nextInt(1000) + " é😀");
        }
        if (type == SessionId.class) {
            return new SessionId(new UUID(random.nextLong(), random.nextLong()));
        }
        if (type == Part.Image.class) {
            return new Part.Image("image/png", text(), random.nextBoolean() ? text() : null, null);
        }
        if (type == Part.Unknown.class) {
            return new Part.Unknown(JsonNodeFactory.instance
                    .objectNode()
                    .put("type", "hologram")
                    .put("x", 1));
        }
        depth++;
        try {
            var components = type.getRecordComponents();
            var values = Arrays.stream(components).map(this::value).toArray();
            var constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("cannot make a " + type, e);
        } finally {
            depth--;
        }
    }

    private @Nullable Object value(RecordComponent component) {
        if (component.getDeclaringRecord() == LoopEvent.LoopEnded.class && component.getType() == LoopStatus.class) {
            return List.of(LoopStatus.COMPLETED, LoopStatus.REJECTED, LoopStatus.ABORTED)
                    .get(random.nextInt(3));
        }
        var optional = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
        return optional && leftOut() ? null : value(component.getGenericType());
    }

    private boolean leftOut() {
        return switch (fill) {
            case EVERYTHING -> false;
            case NOTHING_OPTIONAL -> true;
            case AS_CHANCE_HAS_IT -> random.nextBoolean();
        };
    }

    private Object value(Type type) {
        return switch (type) {
            case ParameterizedType generic
            when generic.getRawType() == List.class -> list(generic.getActualTypeArguments()[0]);
            case ParameterizedType generic -> map(generic.getActualTypeArguments()[1]);
            case Class<?> plain -> plain(plain);
            default -> throw new AssertionError("teach Samples to make a " + type);
        };
    }

    private Object plain(Class<?> type) {
        if (type.isEnum()) {
            return type.getEnumConstants()[random.nextInt(type.getEnumConstants().length)];
        }
        if (type.isSealed()) {
            var kinds = type.getPermittedSubclasses();
            return record(depth > DEPTH_MAX ? Part.Text.class : kinds[random.nextInt(kinds.length)]);
        }
        return type.isRecord() ? record(type) : leaf(type);
    }

    private Object leaf(Class<?> type) {
        return switch (type.getSimpleName()) {
            case "String" -> text();
            case "int", "Integer" -> random.nextInt(1_000_000);
            case "long", "Long" -> 1 + random.nextLong(1L << 53);
            case "boolean", "Boolean" -> random.nextBoolean();
            case "double", "Double" -> random.nextInt(200) / 100.0;
            case "Instant" -> Instant.ofEpochSecond(random.nextLong(4_000_000_000L), random.nextInt(1_000_000_000));
            case "BigDecimal" -> BigDecimal.valueOf(random.nextInt(1_000_000), random.nextInt(9));
            case "JsonNode", "ObjectNode" -> json();
            default -> throw new AssertionError("teach Samples to make a " + type);
        };
    }

    private List<Object> list(Type of) {
        var items = new ArrayList<>();
        for (int count = fill == Fill.NOTHING_OPTIONAL || depth > DEPTH_MAX ? 0 : 1 + random.nextInt(2);
                count > 0;
                count--) {
            items.add(value(of));
        }
        return items;
    }

    private Map<String, Object> map(Type of) {
        var map = new LinkedHashMap<String, Object>();
        for (int count = fill == Fill.NOTHING_OPTIONAL ? 0 : 1 + random.nextInt(2); count > 0; count--) {
            map.put(text(), value(of));
        }
        return map;
    }

    private String text() {
        var odd = List.of("plain", "line\nbreak", "quote\"\\", "é😀\u2028", "{\"type\":\"x\"}", "\u0001");
        return odd.get(random.nextInt(odd.size())) + random.nextInt(1000);
    }

    private JsonNode json() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put(text(), text()).put("n", random.nextInt()).put("d", 0.5).putNull("nothing");
        node.putArray("list").add(true).addObject().put("deep", text());
        return node;
    }
}

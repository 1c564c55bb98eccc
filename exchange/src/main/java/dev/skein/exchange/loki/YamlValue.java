package dev.skein.exchange.loki;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// A value read from YAML that still knows how its scalars were spelled, and on which line it stands.
///
/// What a scalar means depends on who asks: where words are due, `42`, `no` and `~` are words; where any
/// JSON value may stand, they follow the core schema of YAML 1.2.
sealed interface YamlValue {

    int line();

    /// The value as JSON.
    JsonNode json();

    /// One word or many. `plain` if it stood there without quotes or a block marker.
    record Scalar(String text, boolean plain, int line) implements YamlValue {

        private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
        private static final Set<String> TRUE = Set.of("true", "True", "TRUE");
        private static final Set<String> FALSE = Set.of("false", "False", "FALSE");
        private static final int NUMBER_LENGTH_MAX = 400;

        /// Leading zeros make a text, as in the tools that wrote these files.
        private static final Pattern INTEGER = Pattern.compile("[-+]?(?:0|[1-9][0-9]*)");

        private static final Pattern RADIX = Pattern.compile("0(?:x[0-9a-fA-F]+|o[0-7]+)");
        private static final Pattern FLOAT =
                Pattern.compile("[-+]?(?:\\.[0-9]+|(?:0|[1-9][0-9]*)(?:\\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?");

        boolean isNull() {
            return plain && NULLS.contains(text);
        }

        @Nullable
        Boolean asBoolean() {
            return !plain ? null : TRUE.contains(text) ? Boolean.TRUE : FALSE.contains(text) ? Boolean.FALSE : null;
        }

        @Override
        public JsonNode json() {
            var nodes = JsonNodeFactory.instance;
            if (!plain) {
                return nodes.stringNode(text);
            }
            if (isNull()) {
                return nodes.nullNode();
            }
            var bool = asBoolean();
            if (bool != null) {
                return nodes.booleanNode(bool);
            }
            return text.length() > NUMBER_LENGTH_MAX ? nodes.stringNode(text) : number(nodes);
        }

        private JsonNode number(JsonNodeFactory nodes) {
            if (INTEGER.matcher(text).matches()) {
                return integer(nodes, new BigInteger(text));
            }
            if (RADIX.matcher(text).matches()) {
                return integer(nodes, new BigInteger(text.substring(2), text.charAt(1) == 'x' ? 16 : 8));
            }
            if (FLOAT.matcher(text).matches()) {
                var value = Double.parseDouble(text);
                return Double.isFinite(value) ? nodes.numberNode(value) : nodes.stringNode(text);
            }
            return nodes.stringNode(text);
        }

        private static JsonNode integer(JsonNodeFactory nodes, BigInteger value) {
            if (value.bitLength() < Integer.SIZE) {
                return nodes.numberNode(value.intValue());
            }
            return value.bitLength() < Long.SIZE ? nodes.numberNode(value.longValue()) : nodes.numberNode(value);
        }
    }

    /// Values in order.
    record Sequence(List<YamlValue> items, int line) implements YamlValue {
        @Override
        public JsonNode json() {
            var array = JsonNodeFactory.instance.arrayNode(items.size());
            items.forEach(item -> array.add(item.json()));
            return array;
        }
    }

    /// Values by name, in the order they stood.
    record Mapping(Map<String, YamlValue> entries, int line) implements YamlValue {

        @Nullable
        YamlValue get(String key) {
            return entries.get(key);
        }

        /// The value under this name, unless there is none or a null.
        @Nullable
        YamlValue present(String key) {
            var value = entries.get(key);
            return value instanceof Scalar scalar && scalar.isNull() ? null : value;
        }

        /// The words under this name; null if there are none.
        @Nullable
        String text(String key) {
            return present(key) instanceof Scalar scalar ? scalar.text() : null;
        }

        /// Everything but these, as JSON.
        ObjectNode without(String... known) {
            var rest = JsonNodeFactory.instance.objectNode();
            var names = Set.of(known);
            entries.forEach((name, value) -> {
                if (!names.contains(name)) {
                    rest.set(name, value.json());
                }
            });
            return rest;
        }

        @Override
        public ObjectNode json() {
            return without();
        }
    }

    /// The words of a list, or of one text with commas between them; null if it is neither.
    default @Nullable List<String> words() {
        return switch (this) {
            case Scalar scalar ->
                Stream.of(scalar.text().split(","))
                        .map(String::strip)
                        .filter(word -> !word.isEmpty())
                        .toList();
            case Sequence list -> {
                var words = new ArrayList<String>(list.items().size());
                for (var item : list.items()) {
                    if (!(item instanceof Scalar scalar)) {
                        yield null;
                    }
                    words.add(scalar.text());
                }
                yield words;
            }
            case Mapping _ -> null;
        };
    }
}

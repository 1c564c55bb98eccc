package dev.skein.server.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The fields of a JSON object that somebody sent. A wrong type is refused with the field's name; a field that nobody
/// asks for is ignored.
public record Fields(ObjectNode object, String path) {

    public static Fields of(ObjectNode object) {
        return new Fields(object, "");
    }

    /// Whether it is there, be it as null.
    public boolean has(String name) {
        return object.has(name);
    }

    public String text(String name) {
        return optionalText(name).orElseThrow(() -> HttpFailure.invalid("field '" + path + name + "' is missing"));
    }

    public Optional<String> optionalText(String name) {
        return given(name).map(value -> {
            if (!value.isString()) {
                throw wrong(name, "a text", value);
            }
            return value.stringValue();
        });
    }

    public Optional<Boolean> optionalFlag(String name) {
        return given(name).map(value -> {
            if (!value.isBoolean()) {
                throw wrong(name, "true or false", value);
            }
            return value.booleanValue();
        });
    }

    public Optional<Double> optionalNumber(String name, double min, double max) {
        return given(name).map(value -> {
            if (!value.isNumber() || !(value.asDouble(Double.NaN) >= min && value.asDouble(Double.NaN) <= max)) {
                throw wrong(name, "a number from " + min + " to " + max, value);
            }
            return value.asDouble();
        });
    }

    public Optional<Long> optionalWhole(String name, long min, long max) {
        return given(name).map(value -> {
            if (!value.isIntegralNumber()
                    || !value.canConvertToLong()
                    || value.longValue() < min
                    || value.longValue() > max) {
                throw wrong(name, "a whole number from " + min + " to " + max, value);
            }
            return value.longValue();
        });
    }

    public Optional<ObjectNode> optionalObject(String name) {
        return given(name).map(value -> {
            if (!(value instanceof ObjectNode found)) {
                throw wrong(name, "an object", value);
            }
            return found;
        });
    }

    public Optional<List<String>> optionalTexts(String name) {
        return given(name).map(value -> {
            if (!value.isArray() || !value.valueStream().allMatch(JsonNode::isString)) {
                throw wrong(name, "a list of texts", value);
            }
            return value.valueStream().map(JsonNode::stringValue).toList();
        });
    }

    /// A list of objects; empty if it is not there.
    public List<Fields> objects(String name) {
        var list = given(name).orElse(null);
        if (list == null) {
            return List.of();
        }
        if (!list.isArray()) {
            throw wrong(name, "a list of objects", list);
        }
        var objects = new ArrayList<Fields>();
        for (int i = 0; i < list.size(); i++) {
            var place = path + name + "[" + i + "]";
            if (!(list.get(i) instanceof ObjectNode each)) {
                throw HttpFailure.invalid("field '" + place + "' must be an object");
            }
            objects.add(new Fields(each, place + "."));
        }
        return objects;
    }

    private Optional<JsonNode> given(String name) {
        return Optional.ofNullable(object.get(name)).filter(value -> !value.isNull());
    }

    private HttpFailure wrong(String name, String expected, JsonNode found) {
        return HttpFailure.invalid("field '" + path + name + "' must be " + expected + ", not "
                + found.getNodeType().name().toLowerCase(Locale.ROOT)
                + (found.isNumber() ? " " + shortened(found.toString()) : ""));
    }

    private static String shortened(String number) {
        return number.length() > 20 ? number.substring(0, 20) + "..." : number;
    }
}

package dev.skein.tools.call;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// The arguments of one call, checked while they are read.
public record Arguments(JsonNode json) {

    /// A text that must be there.
    public String text(String name) {
        return optionalText(name)
                .orElseThrow(() -> new Refused("the argument '" + name + "' is missing; give it a text"));
    }

    /// A text that may be left out.
    public Optional<String> optionalText(String name) {
        var value = json.path(name);
        if (absent(value)) {
            return Optional.empty();
        }
        if (!value.isString()) {
            throw new Refused("the argument '" + name + "' is not a text but " + kind(value) + "; give it a text");
        }
        return Optional.of(value.stringValue());
    }

    /// A whole number; `otherwise` if it is left out.
    public int number(String name, int otherwise, int min, int max) {
        var value = json.path(name);
        if (absent(value)) {
            return otherwise;
        }
        if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < min || value.intValue() > max) {
            throw new Refused("the argument '" + name + "' is " + shown(value) + "; give it a whole number from " + min
                    + " to " + max);
        }
        return value.intValue();
    }

    /// Yes or no; no if it is left out.
    public boolean flag(String name) {
        var value = json.path(name);
        if (absent(value)) {
            return false;
        }
        if (!value.isBoolean()) {
            throw new Refused("the argument '" + name + "' is " + shown(value) + "; give it true or false");
        }
        return value.booleanValue();
    }

    /// Texts, none if they are left out.
    public List<String> texts(String name) {
        var value = json.path(name);
        if (absent(value)) {
            return List.of();
        }
        if (!value.isArray()) {
            throw new Refused("the argument '" + name + "' is " + kind(value) + "; give it a list of texts");
        }
        var texts = new ArrayList<String>();
        for (var item : value) {
            if (!item.isString()) {
                throw new Refused("the argument '" + name + "' holds " + kind(item) + "; give it texts only");
            }
            texts.add(item.stringValue());
        }
        return texts;
    }

    private static boolean absent(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }

    private static String kind(JsonNode value) {
        return value.getNodeType().name().toLowerCase(java.util.Locale.ROOT);
    }

    private static String shown(JsonNode value) {
        var text = value.toString();
        return text.length() > 40 ? kind(value) : text;
    }
}

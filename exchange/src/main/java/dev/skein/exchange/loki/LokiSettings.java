package dev.skein.exchange.loki;

import dev.skein.exchange.loki.YamlValue.Mapping;
import dev.skein.exchange.loki.YamlValue.Scalar;
import dev.skein.session.SessionSettings;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// The settings at the top of a session file.
///
/// A key that Skein has a word for, and whose value fits, gets that word. Every other key stays in `extra`
/// under its own name, and so does one whose value does not fit: nothing is lost, and nothing fails.
///
/// Used once, by one thread.
final class LokiSettings {

    private static final Set<String> CONTENT = Set.of("messages", "compressed_messages");
    private static final Set<String> WORDS = Set.of("continuation_prompt", "skill_instructions", "data_urls");

    private final Mapping file;
    private final Set<String> taken = new HashSet<>(CONTENT);

    private LokiSettings(Mapping file) {
        this.file = file;
    }

    static SessionSettings of(Mapping file) {
        return new LokiSettings(file).settings();
    }

    private SessionSettings settings() {
        var model = text("model");
        var settings = new SessionSettings(
                null,
                null,
                number("temperature"),
                number("top_p"),
                text("reasoning_effort"),
                text("role_name"),
                null,
                null,
                words("enabled_tools", "use_tools"),
                words("enabled_mcp_servers"),
                bool("save_session"),
                count("compression_threshold", "compress_threshold"),
                variables(),
                text("agent_instructions"),
                extra());
        return model == null ? settings : named(settings, model);
    }

    /// A model is `client:model`; the rest of the colons are the model's.
    private static SessionSettings named(SessionSettings settings, String model) {
        var colon = model.indexOf(':');
        return colon > 0 && colon < model.length() - 1
                ? settings.withModel(model.substring(0, colon), model.substring(colon + 1))
                : settings.withModel(null, model);
    }

    private @Nullable String text(String key) {
        if (!(file.get(key) instanceof Scalar scalar)) {
            return null;
        }
        taken.add(key);
        return scalar.isNull() || scalar.text().isEmpty() ? null : scalar.text();
    }

    private @Nullable Double number(String key) {
        var value = json(key);
        return value != null && value.isNumber() && Double.isFinite(value.doubleValue())
                ? take(key, value.doubleValue())
                : null;
    }

    private @Nullable Boolean bool(String key) {
        var value = file.get(key) instanceof Scalar scalar ? scalar.asBoolean() : null;
        return value == null ? null : take(key, value);
    }

    private @Nullable Integer count(String... spellings) {
        for (var key : spellings) {
            var value = json(key);
            if (value != null && value.isInt() && value.intValue() >= 0) {
                return take(key, value.intValue());
            }
        }
        return null;
    }

    /// A null is not set; an empty text or list is set, to nothing.
    private @Nullable List<String> words(String... spellings) {
        for (var key : spellings) {
            var value = file.present(key);
            var words = value == null ? null : value.words();
            if (words != null) {
                return take(key, words);
            }
        }
        return null;
    }

    private Map<String, String> variables() {
        if (!(file.get("agent_variables") instanceof Mapping given)
                || !given.entries().values().stream().allMatch(Scalar.class::isInstance)) {
            return Map.of();
        }
        var variables = new LinkedHashMap<String, String>();
        given.entries().forEach((name, value) -> variables.put(name, ((Scalar) value).text()));
        return take("agent_variables", variables);
    }

    /// What nobody took. A null under a key that Skein knows is the same as no key.
    private Map<String, JsonNode> extra() {
        var extra = new LinkedHashMap<String, JsonNode>();
        file.entries().forEach((name, value) -> {
            if (!taken.contains(name)) {
                extra.put(name, WORDS.contains(name) ? words(value) : value.json());
            }
        });
        return extra;
    }

    /// Scalars as words, also those within a map.
    private static JsonNode words(YamlValue value) {
        return switch (value) {
            case Scalar scalar when !scalar.isNull() -> JsonNodeFactory.instance.stringNode(scalar.text());
            case Mapping map -> {
                var words = JsonNodeFactory.instance.objectNode();
                map.entries().forEach((name, word) -> words.set(name, words(word)));
                yield words;
            }
            case Scalar _, YamlValue.Sequence _ -> value.json();
        };
    }

    private @Nullable JsonNode json(String key) {
        return file.get(key) instanceof Scalar scalar ? scalar.json() : null;
    }

    private <T> T take(String key, T value) {
        taken.add(key);
        return value;
    }
}

package dev.skein.cli.settings;

import dev.skein.cli.secret.Interpolation;
import dev.skein.cli.terminal.Nearest;
import dev.skein.failure.SkeinException;
import dev.skein.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// A settings file, or a section of it, that is asked for one value after the other and notes what is wrong with them.
/// Not safe for use by several threads.
final class SettingsFile {

    private static final int BYTES_MAX = 1024 * 1024;

    private final YamlLines lines;
    private final Interpolation secrets;
    /// The names of the sections around this one, each with a slash before it.
    private final String path;

    private final JsonNode node;
    private final List<String> problems;
    private final Set<String> known = new LinkedHashSet<>();

    private SettingsFile(YamlLines lines, Interpolation secrets, String path, JsonNode node, List<String> problems) {
        this.lines = lines;
        this.secrets = secrets;
        this.path = path;
        this.node = node;
        this.problems = problems;
    }

    /// Made when there is something to read: most have no settings, and it takes its time.
    private static final class Yaml {
        static final YAMLMapper MAPPER = Json.configure(YAMLMapper.builder()).build();
    }

    /// An empty one if there is no such file, or it cannot be read.
    static SettingsFile read(Path file, Interpolation secrets) {
        var problems = new ArrayList<String>();
        var text = text(file, problems);
        var lines = new YamlLines(file, text);
        return new SettingsFile(
                lines,
                secrets,
                "",
                lines.isBlank() ? MissingNode.getInstance() : lines.tree(Yaml.MAPPER, problems),
                problems);
    }

    private static String text(Path file, List<String> problems) {
        try {
            if (!Files.exists(file)) {
                return "";
            }
            if (Files.isRegularFile(file) && Files.size(file) <= BYTES_MAX) {
                return Files.readString(file);
            }
            problems.add(file + " is no settings file: it is not a file, or too large");
        } catch (IOException e) {
            problems.add(file + " cannot be read: " + e.getMessage());
        }
        return "";
    }

    List<String> problems() {
        return problems;
    }

    SettingsFile section(String key) {
        var value = get(key);
        if (value != null && !value.isObject()) {
            problem(key, "has settings of its own, written indented below it");
        }
        return new SettingsFile(
                lines,
                secrets,
                path + "/" + key,
                value != null && value.isObject() ? value : MissingNode.getInstance(),
                problems);
    }

    /// The sections of a list.
    List<SettingsFile> sections(String key) {
        var value = get(key);
        if (value == null) {
            return List.of();
        }
        if (!value.isArray()) {
            problem(key, "is a list, each with settings of its own, written indented below a dash");
            return List.of();
        }
        var inside = new SettingsFile(lines, secrets, path + "/" + key, value, problems);
        return IntStream.range(0, value.size())
                .mapToObj(i -> inside.element(i, value.path(i)))
                .toList();
    }

    private SettingsFile element(int index, JsonNode element) {
        if (!element.isObject()) {
            problem(String.valueOf(index), "has settings of its own, written as 'name: value'");
        }
        return new SettingsFile(
                lines, secrets, path + "/" + index, element.isObject() ? element : MissingNode.getInstance(), problems);
    }

    boolean has(String key) {
        return get(key) != null;
    }

    Optional<Boolean> flag(String key) {
        var value = get(key);
        if (value != null && !value.isBoolean()) {
            problem(key, "is true or false, not " + value);
            return Optional.empty();
        }
        return Optional.ofNullable(value).map(JsonNode::asBoolean);
    }

    Optional<String> text(String key) {
        return value(key, text -> text);
    }

    /// A text that means something. What throws a failure is wrong, and the failure says why.
    <T> Optional<T> value(String key, Function<String, T> reader) {
        var value = get(key);
        return value == null ? Optional.empty() : read(key, value, reader).findFirst();
    }

    <T> List<T> values(String key, Function<String, T> reader) {
        var value = get(key);
        if (value == null) {
            return List.of();
        }
        if (!value.isArray()) {
            return read(key, value, reader).toList();
        }
        return IntStream.range(0, value.size())
                .boxed()
                .flatMap(i -> read(key + "/" + i, value.path(i), reader))
                .toList();
    }

    /// Things with a name and settings of their own, which may name secrets. One that is wrong is passed over, the
    /// others are not.
    <T> Map<String, T> objects(String key, Class<T> type) {
        var things = new LinkedHashMap<String, T>();
        for (var property : section(key).node.properties()) {
            try {
                things.put(property.getKey(), Yaml.MAPPER.treeToValue(filled(property.getValue()), type));
            } catch (SkeinException e) {
                problem(key + "/" + property.getKey(), String.valueOf(e.getMessage()));
            } catch (JacksonException e) {
                var cause = e.getCause() instanceof SkeinException failure ? failure : e;
                problem(key + "/" + property.getKey(), String.valueOf(cause.getMessage()));
            }
        }
        return things;
    }

    private JsonNode filled(JsonNode value) {
        return switch (value) {
            case StringNode text -> StringNode.valueOf(secrets.fill(text.stringValue()));
            case ObjectNode object -> {
                var filled = Yaml.MAPPER.createObjectNode();
                object.properties().forEach(field -> filled.set(field.getKey(), filled(field.getValue())));
                yield filled;
            }
            default -> value;
        };
    }

    /// What there is, under whatever names.
    List<String> names() {
        return List.copyOf(node.propertyNames());
    }

    Optional<List<String>> texts(String key) {
        return get(key) == null ? Optional.empty() : Optional.of(values(key, text -> text));
    }

    Optional<Double> number(String key, double least, double most) {
        var value = get(key);
        if (value == null) {
            return Optional.empty();
        }
        if (!value.isNumber() || value.asDouble() < least || value.asDouble() > most) {
            problem(key, "is a number from " + least + " to " + most + ", not " + value);
            return Optional.empty();
        }
        return Optional.of(value.asDouble());
    }

    Optional<Integer> whole(String key, int least, int most) {
        var value = get(key);
        if (value == null) {
            return Optional.empty();
        }
        if (!value.isInt() || value.asInt() < least || value.asInt() > most) {
            problem(key, "is a whole number from " + least + " to " + most + ", not " + value);
            return Optional.empty();
        }
        return Optional.of(value.asInt());
    }

    /// Everything was asked for; what is left, nobody knows.
    void finish() {
        node.propertyNames().stream()
                .filter(name -> !known.contains(name))
                .forEach(name -> problem(
                        name,
                        "is no setting; "
                                + Nearest.to(name, known)
                                        .map(nearest -> "did you mean '" + nearest + "'?")
                                        .orElse("there are " + String.join(", ", known))));
    }

    private <T> Stream<T> read(String key, JsonNode value, Function<String, T> reader) {
        if (!value.isValueNode()) {
            problem(key, "is a text, not " + value);
            return Stream.of();
        }
        try {
            return Stream.of(reader.apply(value.asString("")));
        } catch (SkeinException | IllegalArgumentException e) {
            problem(key, String.valueOf(e.getMessage()));
            return Stream.of();
        }
    }

    private @Nullable JsonNode get(String key) {
        known.add(key);
        var value = node.path(key);
        return value.isMissingNode() || value.isNull() ? null : value;
    }

    /// Something that only whoever asked can know to be wrong.
    void problem(String key, String what) {
        problems.add(place(key) + ": " + what);
    }

    /// The file and the line that a value stands on, and its name.
    String place(String key) {
        return lines.place(path + "/" + key);
    }
}

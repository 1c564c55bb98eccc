package dev.skein.cli.settings;

import dev.skein.engine.role.RoleSpec;
import dev.skein.engine.role.Roles;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.SkeinException;
import dev.skein.failure.StorageFailed;
import dev.skein.model.ModelName;
import dev.skein.wire.Json;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// The roles in a directory, read anew each time: whoever edits one need not start again.
///
/// Settings that other tools know and Skein does not are passed over, so that their files can be used as they are.
/// @param variables what its text may name about where it is used
public record RoleFiles(Path directory, UnaryOperator<String> variables) implements Roles {

    private static final YAMLMapper YAML = Json.configure(YAMLMapper.builder()).build();
    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}_][\\p{L}\\p{N} ._-]{0,63}");
    private static final String ENDING = ".md";
    private static final String FENCE = "---";
    private static final int BYTES_MAX = 1024 * 1024;

    /// Names nothing.
    public RoleFiles(Path directory) {
        this(directory, UnaryOperator.identity());
    }

    /// May name the system, the shell, the directory and the time.
    public static RoleFiles in(Path home, Map<String, String> env, Clock clock) {
        return new RoleFiles(home.resolve("roles"), new RoleVariables(env, clock)::fill);
    }

    @Override
    public List<String> names() {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (var files = Files.list(directory)) {
            return files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(ENDING))
                    .map(name -> name.substring(0, name.length() - ENDING.length()))
                    .filter(name -> NAME.matcher(name).matches())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw StorageFailed.io("list the roles in " + directory, e);
        }
    }

    @Override
    public Optional<RoleSpec> find(String name) {
        if (!names().contains(name)) {
            return Optional.empty();
        }
        var file = directory.resolve(name + ENDING);
        try {
            if (Files.size(file) > BYTES_MAX) {
                throw new InvalidRequest(file + " is too long for a role; it may have " + BYTES_MAX + " bytes");
            }
            return Optional.of(parse(name, file, Files.readString(file)));
        } catch (MalformedInputException _) {
            throw new InvalidRequest(file + " is not UTF-8 text; save it as such");
        } catch (IOException e) {
            throw StorageFailed.io("read " + file, e);
        }
    }

    private RoleSpec parse(String name, Path file, String text) {
        var lines = text.lines().toList();
        var end = lines.isEmpty() || !lines.getFirst().strip().equals(FENCE) ? -1 : fence(lines);
        if (end == 0) {
            throw new InvalidRequest(file + " begins with " + FENCE + ", and no second line of it ends the settings");
        }
        var prompt = String.join("\n", lines.subList(end + 1, lines.size())).strip();
        var settings = end < 0 ? MissingNode.getInstance() : settings(file, lines.subList(1, end));
        try {
            return new RoleSpec(
                    name,
                    variables.apply(prompt),
                    text(settings, "description"),
                    Optional.ofNullable(text(settings, "model"))
                            .map(ModelName::parse)
                            .orElse(null),
                    number(settings, "temperature"),
                    number(settings, "top_p"),
                    words(settings, "tools", "enabled_tools", "use_tools"),
                    words(settings, "mcp_servers", "enabled_mcp_servers"));
        } catch (SkeinException e) {
            throw new InvalidRequest(file + ": " + e.getMessage());
        }
    }

    /// The line of the second fence, 0 if there is none.
    private static int fence(List<String> lines) {
        for (int i = 1; i < lines.size(); i++) {
            if (lines.get(i).strip().equals(FENCE)) {
                return i;
            }
        }
        return 0;
    }

    private static JsonNode settings(Path file, List<String> lines) {
        try {
            var tree = YAML.readTree(String.join("\n", lines));
            if (!tree.isObject() && !tree.isMissingNode() && !tree.isNull()) {
                throw new InvalidRequest(file + ": settings are written as 'name: value', one a line");
            }
            return tree;
        } catch (JacksonException e) {
            throw new InvalidRequest(
                    "%s, line %d: %s".formatted(file, e.getLocation().getLineNr() + 1, e.getOriginalMessage()));
        }
    }

    private static @Nullable String text(JsonNode settings, String key) {
        var value = settings.path(key);
        return value.isValueNode() && !value.isNull() ? value.asString() : null;
    }

    private static @Nullable Double number(JsonNode settings, String key) {
        var value = settings.path(key);
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        if (!value.isNumber()) {
            throw new InvalidRequest(key + " is a number, not '" + value.asString("") + "'");
        }
        return value.asDouble();
    }

    /// A list, or one text with commas between the words; the first of these keys that is there.
    private static @Nullable List<String> words(JsonNode settings, String... keys) {
        for (var key : keys) {
            var value = settings.path(key);
            if (value.isArray()) {
                return value.valueStream().map(item -> item.asString("")).toList();
            }
            if (value.isString()) {
                return Arrays.stream(value.asString().split(","))
                        .map(String::strip)
                        .filter(word -> !word.isEmpty())
                        .toList();
            }
        }
        return null;
    }
}

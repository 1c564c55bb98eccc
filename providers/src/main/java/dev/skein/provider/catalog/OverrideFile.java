package dev.skein.provider.catalog;

import dev.skein.failure.SkeinException;
import dev.skein.model.ModelName;
import dev.skein.provider.catalog.ModelCatalog.Problem;
import dev.skein.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// A user's file about models. Each entry counts by itself: what is wrong with one spoils no other.
final class OverrideFile {

    private static final String YAML = "models.yaml";
    private static final String JSON = "models.json";
    private static final long BYTES_MAX = 1024 * 1024;

    private static final Set<String> FIELDS = Set.of("name", "context_window", "output_max", "thinking", "prices");
    private static final Set<String> PRICES = Set.of("input", "output", "cache_read", "cache_write");

    private final ModelCatalog catalog;
    private final List<ModelInfo> models = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();

    OverrideFile(ModelCatalog catalog) {
        this.catalog = catalog;
    }

    List<ModelInfo> models() {
        return models;
    }

    List<Problem> problems() {
        return problems;
    }

    void readFrom(Path home) {
        var yaml = home.resolve(YAML);
        var json = home.resolve(JSON);
        if (Files.exists(yaml)) {
            if (Files.exists(json)) {
                problems.add(new Problem(json, "is not read, as there is %s; keep one of them".formatted(YAML)));
            }
            read(yaml, Json.configure(YAMLMapper.builder()).build());
        } else if (Files.exists(json)) {
            read(json, Json.MAPPER);
        }
    }

    private void read(Path file, ObjectMapper mapper) {
        try {
            if (Files.size(file) > BYTES_MAX) {
                problems.add(new Problem(file, "is longer than %d bytes; shorten it".formatted(BYTES_MAX)));
                return;
            }
            var read = mapper.readTree(Files.readAllBytes(file));
            var entries = read.isObject() ? read.path("models") : read;
            if (read.isMissingNode() || read.isNull()) {
                return;
            }
            if (!entries.isArray()) {
                problems.add(new Problem(file, "holds no list of models; begin with 'models:' and a list below it"));
                return;
            }
            var number = 1;
            for (var entry : entries) {
                read(file, entry, number++);
            }
        } catch (IOException e) {
            problems.add(new Problem(file, "cannot be read (%s); check its permissions".formatted(e.getMessage())));
        } catch (JacksonException e) {
            problems.add(new Problem(file, "is not readable: " + firstLine(e)));
        }
    }

    private void read(Path file, JsonNode entry, int number) {
        var label = "entry %d (%s)".formatted(number, entry.path("name").asString("without a name"));
        try {
            var model = merged(entry);
            noteUnknown(file, label, entry, FIELDS);
            noteUnknown(file, label, entry.path("prices"), PRICES);
            models.add(model);
        } catch (SkeinException | IllegalArgumentException e) {
            problems.add(new Problem(file, label + ": " + e.getMessage()));
        } catch (JacksonException e) {
            problems.add(new Problem(file, label + ": " + firstLine(e)));
        }
    }

    /// What is known about the model, with the entry's fields in place of those it has.
    private ModelInfo merged(JsonNode entry) {
        if (!(entry instanceof ObjectNode given) || !entry.path("name").isString()) {
            throw new IllegalArgumentException("a model needs a name: provider:model");
        }
        var known = catalog.find(ModelName.parse(entry.path("name").asString()));
        var whole = (ObjectNode) Json.MAPPER.valueToTree(known);
        whole.setAll(given);
        return Json.MAPPER.treeToValue(whole, ModelInfo.class);
    }

    private void noteUnknown(Path file, String label, JsonNode object, Set<String> known) {
        object.propertyNames().stream()
                .filter(name -> !known.contains(name))
                .forEach(name -> problems.add(
                        new Problem(file, "%s: there is no field '%s', it is left out".formatted(label, name))));
    }

    private static String firstLine(JacksonException failure) {
        return String.valueOf(failure.getOriginalMessage()).lines().findFirst().orElse("it makes no sense");
    }
}

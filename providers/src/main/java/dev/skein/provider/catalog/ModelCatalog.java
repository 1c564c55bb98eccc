package dev.skein.provider.catalog;

import static java.util.Objects.requireNonNull;

import dev.skein.model.ModelName;
import dev.skein.wire.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.type.TypeReference;

/// Which models are known, in the order in which they are recommended. Never changes.
public final class ModelCatalog {

    private static final String FILE = "models.json";
    private static final TypeReference<List<ModelInfo>> MODELS = new TypeReference<>() {};

    private final Map<ModelName, ModelInfo> models;

    private ModelCatalog(Map<ModelName, ModelInfo> models) {
        this.models = Collections.unmodifiableMap(models);
    }

    /// The list that comes with Skein.
    public static ModelCatalog builtIn() {
        try (var file = requireNonNull(ModelCatalog.class.getResourceAsStream(FILE), FILE)) {
            return new ModelCatalog(new LinkedHashMap<>()).with(Json.MAPPER.readValue(file, MODELS));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// This catalog with some models added, or replaced where the name is known.
    public ModelCatalog with(List<ModelInfo> overrides) {
        var changed = new LinkedHashMap<>(models);
        overrides.forEach(model -> changed.put(model.name(), model));
        return new ModelCatalog(changed);
    }

    public List<ModelInfo> models() {
        return List.copyOf(models.values());
    }

    /// The facts about a model; of one that is not listed, none.
    public ModelInfo find(ModelName name) {
        return models.getOrDefault(name, ModelInfo.unknown(name));
    }
}

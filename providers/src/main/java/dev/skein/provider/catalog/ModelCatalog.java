package dev.skein.provider.catalog;

import static java.util.Objects.requireNonNull;

import dev.skein.model.ModelName;
import dev.skein.wire.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Which models are known, in the order in which they are recommended. Never changes.
public final class ModelCatalog {

    private static final String FILE = "models.json";

    private final String asOf;
    private final Map<ModelName, ModelInfo> models;

    private ModelCatalog(String asOf, Map<ModelName, ModelInfo> models) {
        this.asOf = asOf;
        this.models = Collections.unmodifiableMap(models);
    }

    private record Listing(String asOf, String note, List<ModelInfo> models) {}

    /// A catalog with a user's changes, and what was wrong with those that are not in it.
    public record Overridden(ModelCatalog catalog, List<Problem> problems) {
        public Overridden {
            problems = List.copyOf(problems);
        }
    }

    /// Something in a user's file that could not be used.
    public record Problem(Path file, String reason) {
        @Override
        public String toString() {
            return file + ": " + reason;
        }
    }

    /// The list that comes with Skein.
    public static ModelCatalog builtIn() {
        try (var file = requireNonNull(ModelCatalog.class.getResourceAsStream(FILE), FILE)) {
            var listing = Json.MAPPER.readValue(file, Listing.class);
            return new ModelCatalog(listing.asOf(), new LinkedHashMap<>()).with(listing.models());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// This catalog with some models added, or replaced where the name is known.
    public ModelCatalog with(List<ModelInfo> overrides) {
        var changed = new LinkedHashMap<>(models);
        overrides.forEach(model -> changed.put(model.name(), model));
        return new ModelCatalog(asOf, changed);
    }

    /// This catalog with what `models.yaml` or `models.json` in the home directory says: a list of models with the
    /// fields
    /// of [ModelInfo], where a field that is not given stays as it was. Nothing changes if there is no file.
    public Overridden withOverrides(Path home) {
        var file = new OverrideFile(this);
        file.readFrom(home);
        return new Overridden(with(file.models()), file.problems());
    }

    /// When windows and prices were looked up: a year and a month. What users changed is theirs.
    public String asOf() {
        return asOf;
    }

    public List<ModelInfo> models() {
        return List.copyOf(models.values());
    }

    /// The facts about a model; of one that is not listed, none.
    public ModelInfo find(ModelName name) {
        return models.getOrDefault(name, ModelInfo.unknown(name));
    }
}

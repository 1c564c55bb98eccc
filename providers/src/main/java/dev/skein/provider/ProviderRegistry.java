package dev.skein.provider;

import dev.skein.failure.InvalidRequest;
import dev.skein.model.Model;
import dev.skein.model.ModelName;
import dev.skein.model.Models;
import dev.skein.provider.catalog.ModelCatalog;
import dev.skein.provider.catalog.ModelInfo;
import dev.skein.provider.http.Endpoint;
import dev.skein.provider.http.StreamingHttp;
import dev.skein.provider.offline.OfflineModel;
import dev.skein.provider.openai.RefusedFormats;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Knows which providers can be reached and opens their models.
///
/// Keys come from the environment it is given, and stay there: no model, snapshot, text or log shows them. Safe
/// for use by many threads.
public final class ProviderRegistry implements Models {

    private static final String OFFLINE = OfflineModel.NAME.provider();

    private final Map<String, String> environment;
    private final ModelCatalog catalog;
    private final Map<String, Provider> providers = new LinkedHashMap<>();
    private final Predicate<URI> probe;
    private final RefusedFormats refusedFormats = new RefusedFormats();
    /// Made when the first provider on a network is opened: the offline model should start fast.
    private @Nullable HttpClient client;

    /// A known model, and whether its provider can be used as things are.
    public record Listed(ModelInfo model, boolean isConfigured) {}

    /// Looks at the environment once, now.
    ///
    /// @param environment variables such as `OPENAI_API_KEY`, usually those of this process
    public ProviderRegistry(Map<String, String> environment, ModelCatalog catalog) {
        this(environment, catalog, Map.of());
    }

    /// As above, with what settings say about providers, by their names.
    ///
    /// @throws InvalidRequest if the settings make no sense; says which provider
    public ProviderRegistry(
            Map<String, String> environment, ModelCatalog catalog, Map<String, ProviderSettings> settings) {
        this(environment, catalog, settings, OllamaHost::listensAt);
    }

    /// As above, with another way to find out whether somebody listens at an address.
    public ProviderRegistry(
            Map<String, String> environment,
            ModelCatalog catalog,
            Map<String, ProviderSettings> settings,
            Predicate<URI> probe) {
        this.environment = Map.copyOf(environment);
        this.catalog = catalog;
        this.probe = probe;
        Provider.KNOWN.forEach(provider -> providers.put(provider.name(), provider));
        settings.forEach((name, wanted) -> {
            var known = providers.get(name);
            providers.put(name, known == null ? Provider.of(name, wanted) : known.with(wanted));
        });
    }

    /// The names of the providers that can be used as things are, and of the offline model, which always can. An Ollama
    /// can if it is named, or listens on this machine.
    public List<String> configured() {
        var names = new ArrayList<String>();
        for (var provider : providers.values()) {
            if (isUsable(provider)) {
                names.add(provider.name());
            }
        }
        names.add(OFFLINE);
        return names;
    }

    private boolean isUsable(Provider provider) {
        if (provider.isConfigured(environment) || provider.format() != Format.OLLAMA) {
            return provider.isConfigured(environment);
        }
        return probe.test(provider.endpoint(new ModelName(provider.name(), "any"), environment)
                .baseUrl());
    }

    /// The known models of the providers that can be used, in the order in which they are recommended.
    public List<ModelInfo> models() {
        return listing().stream()
                .filter(Listed::isConfigured)
                .map(Listed::model)
                .toList();
    }

    /// All known models, whether they can be used or not.
    public List<Listed> listing() {
        var names = configured();
        return catalog.models().stream()
                .map(model -> new Listed(model, names.contains(model.name().provider())))
                .toList();
    }

    @Override
    public List<ModelName> names() {
        return Stream.concat(models().stream().map(ModelInfo::name), Stream.of(OfflineModel.NAME))
                .distinct()
                .toList();
    }

    /// The model for whoever names none: the first known one whose provider has a key, else the offline model. A
    /// server at an address of one's own has models that nobody knows, so one of those must be named.
    @Override
    public ModelName defaultModel() {
        return catalog.models().stream()
                .map(ModelInfo::name)
                .filter(name -> {
                    var provider = providers.get(name.provider());
                    return provider != null && provider.hasKey(environment);
                })
                .findFirst()
                .orElse(OfflineModel.NAME);
    }

    /// Opens a model, listed or not. Nothing is sent yet.
    ///
    /// @throws InvalidRequest if there is no such provider, or it lacks a key; says which variable to set
    @Override
    public Model open(ModelName name) {
        if (name.provider().equals(OFFLINE)) {
            return offline(name);
        }
        var provider = providers.get(name.provider());
        if (provider == null) {
            throw new InvalidRequest("no provider is called '%s': there are %s, %s"
                    .formatted(name.provider(), String.join(", ", providers.keySet()), OFFLINE));
        }
        var endpoint = provider.endpoint(name, environment);
        var http = new StreamingHttp(client(), endpoint.key(), provider.patience());
        return provider.format().open(catalog.find(name), endpoint, http, refusedFormats);
    }

    /// Where a provider takes requests in OpenAI's format that are no conversation, such as those for embeddings.
    ///
    /// @throws InvalidRequest if there is no such provider, it lacks a key, or does not speak that format
    public Endpoint openAiEndpoint(ModelName name) {
        var provider = providers.get(name.provider());
        if (provider == null) {
            throw new InvalidRequest("no provider is called '%s': there are %s"
                    .formatted(name.provider(), String.join(", ", providers.keySet())));
        }
        var endpoint = provider.endpoint(name, environment);
        return switch (provider.format()) {
            case OPENAI, MISTRAL -> endpoint;
            case OLLAMA -> new Endpoint(URI.create(endpoint.baseUrl() + "/v1"), endpoint.key(), endpoint.keyVariable());
            case ANTHROPIC, GEMINI ->
                throw new InvalidRequest(
                        "'%s' takes no requests in OpenAI's format; use another provider".formatted(name.provider()));
        };
    }

    /// The keys that are set, by the names of their variables: what must never be seen anywhere.
    public Map<String, String> secrets() {
        return providers.values().stream()
                .flatMap(provider -> provider.keyVariables().stream())
                .distinct()
                .filter(variable -> !environment.getOrDefault(variable, "").isBlank())
                .collect(Collectors.toMap(variable -> variable, variable -> environment.getOrDefault(variable, "")));
    }

    private static Model offline(ModelName name) {
        if (!name.equals(OfflineModel.NAME)) {
            throw new InvalidRequest(
                    "there is no model '%s': the offline model is %s".formatted(name, OfflineModel.NAME));
        }
        return new OfflineModel();
    }

    /// The facts about a model, as far as they are known.
    public ModelInfo describe(ModelName name) {
        return catalog.find(name);
    }

    private synchronized HttpClient client() {
        if (client == null) {
            client = StreamingHttp.newClient();
        }
        return client;
    }

    @Override
    public String toString() {
        return "providers " + providers.keySet();
    }
}

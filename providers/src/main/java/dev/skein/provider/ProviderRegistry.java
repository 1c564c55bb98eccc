package dev.skein.provider;

import dev.skein.failure.InvalidRequest;
import dev.skein.model.Model;
import dev.skein.model.ModelName;
import dev.skein.provider.catalog.ModelCatalog;
import dev.skein.provider.catalog.ModelInfo;
import dev.skein.provider.http.StreamingHttp;
import dev.skein.provider.offline.OfflineModel;
import java.net.http.HttpClient;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Knows which providers can be reached and opens their models.
///
/// Keys come from the environment it is given, and stay there: no model, snapshot, text or log shows them. Safe
/// for use by many threads.
public final class ProviderRegistry {

    private final Map<String, String> environment;
    private final ModelCatalog catalog;
    /// Made when the first provider on a network is opened: the offline model should start fast.
    private @Nullable HttpClient client;

    /// Looks at the environment once, now.
    ///
    /// @param environment variables such as `OPENAI_API_KEY`, usually those of this process
    public ProviderRegistry(Map<String, String> environment, ModelCatalog catalog) {
        this.environment = Map.copyOf(environment);
        this.catalog = catalog;
    }

    /// The providers that can be used as things are. The offline model always can.
    public List<Provider> configured() {
        return Arrays.stream(Provider.values())
                .filter(provider -> provider.isConfigured(environment))
                .toList();
    }

    /// The known models of the providers that can be used, in the order in which they are recommended.
    public List<ModelInfo> models() {
        var names = configured().stream().map(Provider::toString).collect(Collectors.toSet());
        return catalog.models().stream()
                .filter(model -> names.contains(model.name().provider()))
                .toList();
    }

    /// The model for whoever names none: the first known one whose provider has a key, else the offline model. A
    /// server at an address of one's own has models that nobody knows, so one of those must be named.
    public ModelName defaultModel() {
        return models().stream()
                .map(ModelInfo::name)
                .filter(name -> Provider.called(name.provider())
                        .flatMap(Provider::keyVariableIfAny)
                        .map(variable -> Provider.value(environment, variable) != null)
                        .orElse(false))
                .findFirst()
                .orElse(OfflineModel.NAME);
    }

    /// Opens a model, listed or not. Nothing is sent yet.
    ///
    /// @throws InvalidRequest if there is no such provider, or it lacks a key; says which variable to set
    public Model open(ModelName name) {
        var provider = Provider.called(name.provider())
                .orElseThrow(() -> new InvalidRequest("no provider is called '%s': there are %s"
                        .formatted(
                                name.provider(),
                                Arrays.stream(Provider.values())
                                        .map(Provider::toString)
                                        .collect(Collectors.joining(", ")))));
        return provider.model(catalog.find(name), environment, this::client);
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
        return "providers " + configured();
    }
}

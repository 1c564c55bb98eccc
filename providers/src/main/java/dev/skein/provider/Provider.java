package dev.skein.provider;

import static java.util.Objects.requireNonNull;

import dev.skein.failure.InvalidRequest;
import dev.skein.model.Model;
import dev.skein.model.ModelName;
import dev.skein.provider.anthropic.AnthropicModel;
import dev.skein.provider.catalog.ModelInfo;
import dev.skein.provider.http.Endpoint;
import dev.skein.provider.http.Secret;
import dev.skein.provider.offline.OfflineModel;
import dev.skein.provider.openai.OpenAiModel;
import java.net.http.HttpClient;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Who offers models, and which variables of the environment say how to reach them.
public enum Provider {
    ANTHROPIC("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", AnthropicModel.DEFAULT_BASE_URL) {
        @Override
        Model model(ModelInfo info, Map<String, String> environment, Supplier<HttpClient> client) {
            return new AnthropicModel(info, endpoint(info.name(), environment), client.get());
        }

        // Anthropic's own tools write this address without the version.
        @Override
        String normalised(String baseUrl) {
            var url = withoutSlash(baseUrl);
            return url.endsWith("/v1") ? url : url + "/v1";
        }

        // Its client insists on a key.
        @Override
        boolean isConfigured(Map<String, String> environment) {
            return value(environment, keyVariable()) != null;
        }
    },
    OPENAI("OPENAI_API_KEY", "OPENAI_BASE_URL", OpenAiModel.DEFAULT_BASE_URL) {
        @Override
        Model model(ModelInfo info, Map<String, String> environment, Supplier<HttpClient> client) {
            return new OpenAiModel(info, endpoint(info.name(), environment), client.get());
        }
    },
    OFFLINE(null, null, "") {
        @Override
        Model model(ModelInfo info, Map<String, String> environment, Supplier<HttpClient> client) {
            if (!info.name().equals(OfflineModel.NAME)) {
                throw new InvalidRequest(
                        "there is no model '%s': the offline model is %s".formatted(info.name(), OfflineModel.NAME));
            }
            return new OfflineModel();
        }

        @Override
        boolean isConfigured(Map<String, String> environment) {
            return true;
        }
    };

    private final @Nullable String keyVariable;
    private final @Nullable String urlVariable;
    private final String defaultBaseUrl;

    Provider(@Nullable String keyVariable, @Nullable String urlVariable, String defaultBaseUrl) {
        this.keyVariable = keyVariable;
        this.urlVariable = urlVariable;
        this.defaultBaseUrl = defaultBaseUrl;
    }

    static Optional<Provider> called(String name) {
        return Arrays.stream(values())
                .filter(provider -> provider.toString().equals(name))
                .findFirst();
    }

    /// The variable that holds the key; none if no key is needed.
    public Optional<String> keyVariableIfAny() {
        return Optional.ofNullable(keyVariable);
    }

    abstract Model model(ModelInfo info, Map<String, String> environment, Supplier<HttpClient> client);

    /// A server at an address of one's own may well need no key.
    boolean isConfigured(Map<String, String> environment) {
        return value(environment, keyVariable()) != null || value(environment, urlVariable()) != null;
    }

    String normalised(String baseUrl) {
        return withoutSlash(baseUrl);
    }

    final Endpoint endpoint(ModelName model, Map<String, String> environment) {
        if (!isConfigured(environment)) {
            throw new InvalidRequest("%s needs a key: set %s".formatted(model, keyVariable()));
        }
        var key = value(environment, keyVariable());
        var url = value(environment, urlVariable());
        return Endpoint.of(
                urlVariable(), normalised(url == null ? defaultBaseUrl : url), new Secret(key == null ? "" : key));
    }

    final String keyVariable() {
        return requireNonNull(keyVariable);
    }

    private String urlVariable() {
        return requireNonNull(urlVariable);
    }

    /// What is set to nothing is not set.
    static @Nullable String value(Map<String, String> environment, String variable) {
        var value = environment.getOrDefault(variable, "").strip();
        return value.isEmpty() ? null : value;
    }

    static String withoutSlash(String url) {
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    /// The name before the colon.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

package dev.skein.provider;

import dev.skein.failure.InvalidRequest;
import dev.skein.model.ModelName;
import dev.skein.provider.anthropic.AnthropicModel;
import dev.skein.provider.gemini.GeminiModel;
import dev.skein.provider.http.Endpoint;
import dev.skein.provider.http.Patience;
import dev.skein.provider.http.Secret;
import dev.skein.provider.mistral.MistralModel;
import dev.skein.provider.ollama.OllamaModel;
import dev.skein.provider.openai.OpenAiModel;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Who offers models on a network, which format they speak, and which variables of the environment say how to reach
/// them.
///
/// @param keyVariables where the key may be; the first that is set counts
/// @param urlVariable the variable with an address of one's own; null if there is none
/// @param ownUrl an address that settings gave; null if they gave none
/// @param defaultUrl where it is if nobody says otherwise; null if somebody must
record Provider(
        String name,
        Format format,
        List<String> keyVariables,
        @Nullable String urlVariable,
        @Nullable String ownUrl,
        @Nullable String defaultUrl,
        Patience patience) {

    /// Those we know, in the order in which they are recommended.
    static final List<Provider> KNOWN = List.of(
            known(
                    "anthropic",
                    Format.ANTHROPIC,
                    AnthropicModel.DEFAULT_BASE_URL,
                    "ANTHROPIC_BASE_URL",
                    "ANTHROPIC_API_KEY"),
            known("openai", Format.OPENAI, OpenAiModel.DEFAULT_BASE_URL, "OPENAI_BASE_URL", "OPENAI_API_KEY"),
            known(
                    GeminiModel.PROVIDER,
                    Format.GEMINI,
                    GeminiModel.DEFAULT_BASE_URL,
                    "GEMINI_BASE_URL",
                    "GEMINI_API_KEY",
                    "GOOGLE_API_KEY"),
            known("mistral", Format.MISTRAL, MistralModel.DEFAULT_BASE_URL, "MISTRAL_BASE_URL", "MISTRAL_API_KEY"),
            known("ollama", Format.OLLAMA, OllamaModel.DEFAULT_BASE_URL, "OLLAMA_HOST", "OLLAMA_API_KEY"));

    private static Provider known(String name, Format format, String url, String urlVariable, String... keyVariables) {
        return new Provider(name, format, List.of(keyVariables), urlVariable, null, url, Patience.DEFAULT);
    }

    /// One that only settings know.
    static Provider of(String name, ProviderSettings settings) {
        if (name.isBlank() || name.indexOf(':') >= 0 || name.equals("offline")) {
            throw new InvalidRequest("a provider cannot be called '%s'; choose another name".formatted(name));
        }
        if (settings.baseUrl() == null) {
            throw new InvalidRequest("the provider '%s' has no base_url; say where it is".formatted(name));
        }
        return new Provider(name, Format.OPENAI, List.of(), null, null, null, Patience.DEFAULT).with(settings);
    }

    /// This one, as settings want it.
    Provider with(ProviderSettings settings) {
        var type = settings.type();
        var spoken = type == null
                ? format
                : Format.called(type)
                        .orElseThrow(() -> new InvalidRequest("the provider '%s' has the type '%s'; there are %s"
                                .formatted(name, type, Format.names())));
        return new Provider(
                name,
                spoken,
                settings.keyEnv() == null ? keyVariables : List.of(settings.keyEnv()),
                urlVariable,
                settings.baseUrl() == null ? ownUrl : settings.baseUrl(),
                defaultUrl,
                settings.silence() == null ? patience : patience.withSilence(settings.silence()));
    }

    /// Whether there is all it takes. A server at an address of one's own may well need no key; if settings name a
    /// variable for one, it does. Anthropic's client insists.
    boolean isConfigured(Map<String, String> environment) {
        if (keyVariable(environment).isPresent()) {
            return true;
        }
        var needsKey = format == Format.ANTHROPIC || (urlVariable == null && !keyVariables.isEmpty());
        return !needsKey && ownUrl(environment).isPresent();
    }

    boolean hasKey(Map<String, String> environment) {
        return keyVariable(environment).isPresent();
    }

    /// Where to call, and with which key.
    ///
    /// @throws InvalidRequest if the key is missing, or the address is none
    Endpoint endpoint(ModelName model, Map<String, String> environment) {
        if (format != Format.OLLAMA && !isConfigured(environment)) {
            throw new InvalidRequest("%s needs a key: set %s".formatted(model, String.join(" or ", keyVariables)));
        }
        var variable = keyVariable(environment);
        var key = variable.map(name -> value(environment, name)).orElse("");
        var url = ownUrl(environment).orElseGet(() -> Objects.requireNonNull(defaultUrl));
        var origin = urlVariable == null || value(environment, urlVariable) == null
                ? "the base_url of " + name
                : urlVariable;
        var named = variable.orElse(keyVariables.isEmpty() ? "" : keyVariables.getFirst());
        return Endpoint.of(origin, format.normalised(url), new Secret(Objects.requireNonNull(key)), named);
    }

    private Optional<String> keyVariable(Map<String, String> environment) {
        return keyVariables.stream()
                .filter(variable -> value(environment, variable) != null)
                .findFirst();
    }

    /// The environment before the settings, as it is nearer.
    private Optional<String> ownUrl(Map<String, String> environment) {
        var given = urlVariable == null ? null : value(environment, urlVariable);
        return Optional.ofNullable(given == null ? ownUrl : given);
    }

    /// What is set to nothing is not set.
    private static @Nullable String value(Map<String, String> environment, String variable) {
        var value = environment.getOrDefault(variable, "").strip();
        return value.isEmpty() ? null : value;
    }

    /// The name before the colon. An address might hold a secret.
    @Override
    public String toString() {
        return name;
    }
}

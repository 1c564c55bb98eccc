package dev.skein.provider;

import dev.skein.model.Model;
import dev.skein.provider.anthropic.AnthropicModel;
import dev.skein.provider.catalog.ModelInfo;
import dev.skein.provider.gemini.GeminiModel;
import dev.skein.provider.http.Endpoint;
import dev.skein.provider.http.StreamingHttp;
import dev.skein.provider.mistral.MistralModel;
import dev.skein.provider.ollama.OllamaModel;
import dev.skein.provider.openai.OpenAiModel;
import dev.skein.provider.openai.RefusedFormats;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/// The formats we speak, by the names that settings use.
enum Format {
    OPENAI("openai-compatible"),
    ANTHROPIC("anthropic") {
        // Anthropic's own tools write this address without the version.
        @Override
        String normalised(String url) {
            var address = super.normalised(url);
            return address.endsWith("/v1") ? address : address + "/v1";
        }
    },
    GEMINI("gemini") {
        // So do Google's.
        @Override
        String normalised(String url) {
            var address = super.normalised(url);
            return address.matches(".*/v\\d\\w*") ? address : address + "/v1beta";
        }
    },
    MISTRAL("mistral") {
        // And Mistral's.
        @Override
        String normalised(String url) {
            var address = super.normalised(url);
            return address.endsWith("/v1") ? address : address + "/v1";
        }
    },
    OLLAMA("ollama") {
        // Ollama's own variable may be a mere host, or the address a server listens at.
        @Override
        String normalised(String url) {
            return OllamaHost.addressOf(super.normalised(url));
        }
    };

    private final String type;

    Format(String type) {
        this.type = type;
    }

    static Optional<Format> called(String type) {
        return Arrays.stream(values())
                .filter(format -> format.type.equals(type))
                .findFirst();
    }

    static String names() {
        return Arrays.stream(values()).map(Format::toString).collect(Collectors.joining(", "));
    }

    Model open(ModelInfo info, Endpoint endpoint, StreamingHttp http, RefusedFormats refused) {
        return switch (this) {
            case OPENAI -> new OpenAiModel(info, endpoint, http, refused);
            case ANTHROPIC -> new AnthropicModel(info, endpoint, http);
            case GEMINI -> new GeminiModel(info, endpoint, http);
            case MISTRAL -> new MistralModel(info, endpoint, http);
            case OLLAMA -> new OllamaModel(info, endpoint, http);
        };
    }

    /// The address as we use it: without a slash at the end.
    String normalised(String url) {
        var address = url.strip();
        return address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
    }

    @Override
    public String toString() {
        return type;
    }
}

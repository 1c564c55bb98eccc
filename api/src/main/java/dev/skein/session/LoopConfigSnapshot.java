package dev.skein.session;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/// With which model and settings a loop ran. Never holds a secret: a base URL loses its user, query and
/// fragment here, and there is no place for a key. `outputShape` is what its answer had to look like, if anything.
public record LoopConfigSnapshot(
        String model,
        String provider,
        @Nullable String configId,
        @Nullable String name,
        @Nullable String api,
        @Nullable String baseUrl,
        @Nullable Boolean reasoning,
        @Nullable Integer contextWindow,
        @Nullable Integer maxTokens,
        @Nullable String thinkingLevel,
        @Nullable Double temperature,
        @Nullable OutputShape outputShape) {

    public LoopConfigSnapshot {
        requireNonNull(model, "model");
        requireNonNull(provider, "provider");
        baseUrl = baseUrl == null ? null : withoutSecrets(baseUrl);
    }

    public static LoopConfigSnapshot of(String provider, String model) {
        return new LoopConfigSnapshot(model, provider, null, null, null, null, null, null, null, null, null, null);
    }

    /// The same, for a loop whose answer has a shape, or none.
    public LoopConfigSnapshot withOutputShape(@Nullable OutputShape newShape) {
        return new LoopConfigSnapshot(
                model,
                provider,
                configId,
                name,
                api,
                baseUrl,
                reasoning,
                contextWindow,
                maxTokens,
                thinkingLevel,
                temperature,
                newShape);
    }

    private static @Nullable String withoutSecrets(String url) {
        try {
            var uri = new URI(url);
            return uri.getHost() == null
                    ? null
                    : new URI(uri.getScheme(), null, uri.getHost(), uri.getPort(), uri.getPath(), null, null)
                            .toString();
        } catch (URISyntaxException _) {
            return null;
        }
    }
}

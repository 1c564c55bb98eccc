package dev.skein.model;

import org.jspecify.annotations.Nullable;

/// How freely and how much a model speaks. Null leaves it to the provider.
public record Sampling(
        @Nullable Double temperature,
        @Nullable Double topP,
        @Nullable Integer tokensMax,
        @Nullable String thinkingLevel) {

    public static final Sampling DEFAULT = new Sampling(null, null, null, null);
}

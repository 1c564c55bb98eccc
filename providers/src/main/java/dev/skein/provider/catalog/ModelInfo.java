package dev.skein.provider.catalog;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import dev.skein.message.Cost;
import dev.skein.message.Usage;
import dev.skein.model.ModelName;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The facts about one model. Null means that nobody said.
public record ModelInfo(
        ModelName name,
        @Nullable Integer contextWindow,
        @Nullable Integer outputMax,
        Thinking thinking,
        @Nullable Prices prices) {

    public ModelInfo {
        requireNonNull(name, "name");
        requireCount("context_window", contextWindow);
        requireCount("output_max", outputMax);
        thinking = requireNonNullElse(thinking, Thinking.UNKNOWN);
    }

    /// How a model is asked to think.
    public enum Thinking {
        /// Nobody said: as its provider usually wants it.
        UNKNOWN,
        /// It does not.
        NONE,
        /// With an effort, in words.
        EFFORT,
        /// With a budget, in tokens.
        BUDGET;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// A model nothing is known about.
    public static ModelInfo unknown(ModelName name) {
        return new ModelInfo(name, null, null, Thinking.UNKNOWN, null);
    }

    private static void requireCount(String field, @Nullable Integer tokens) {
        if (tokens != null && tokens <= 0) {
            throw new IllegalArgumentException("%s is a number of tokens above 0, not %d".formatted(field, tokens));
        }
    }

    /// About what the tokens cost, if the prices are known: list prices, which may have changed since they were looked
    /// up.
    public @Nullable Cost costOf(Usage usage) {
        return prices == null ? null : prices.of(usage);
    }
}

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

    /// What the tokens cost, if the prices are known.
    public @Nullable Cost costOf(Usage usage) {
        return prices == null ? null : prices.of(usage);
    }
}

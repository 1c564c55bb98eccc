package dev.skein.provider.catalog;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import dev.skein.message.Cost;
import dev.skein.message.Usage;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// What a million tokens cost, in US dollars. A price for cached tokens that is not given is that of input.
public record Prices(
        BigDecimal input,
        BigDecimal output,
        @Nullable BigDecimal cacheRead,
        @Nullable BigDecimal cacheWrite) {

    private static final int MILLION_DIGITS = 6;
    private static final BigDecimal MAX = BigDecimal.valueOf(1_000_000);

    public Prices {
        requirePrice("input", requireNonNull(input, "prices need input"));
        requirePrice("output", requireNonNull(output, "prices need output"));
        requirePrice("cache_read", cacheRead);
        requirePrice("cache_write", cacheWrite);
    }

    private static void requirePrice(String field, @Nullable BigDecimal price) {
        if (price != null && (price.signum() < 0 || price.compareTo(MAX) > 0)) {
            throw new IllegalArgumentException(
                    "the price of %s is dollars per million tokens, from 0 to %s".formatted(field, MAX));
        }
    }

    public Cost of(Usage usage) {
        var fresh = Math.max(0, usage.inputTokens() - usage.cachedTokens() - usage.cacheWriteTokens());
        var sum = times(input, fresh)
                .add(times(requireNonNullElse(cacheRead, input), usage.cachedTokens()))
                .add(times(requireNonNullElse(cacheWrite, input), usage.cacheWriteTokens()))
                .add(times(output, usage.outputTokens()));
        return new Cost(sum.movePointLeft(MILLION_DIGITS));
    }

    private static BigDecimal times(BigDecimal price, long tokens) {
        return price.multiply(BigDecimal.valueOf(tokens));
    }
}

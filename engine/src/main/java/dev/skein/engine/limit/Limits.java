package dev.skein.engine.limit;

import dev.skein.message.Cost;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Every bound a run respects, in one place. Null means without limit.
public record Limits(
        int turnsMax,
        @Nullable Long tokensMax,
        @Nullable Cost costMax,
        Duration timeMax,
        Duration toolTimeMax,
        int toolResultCharsMax,
        int sameCallMax,
        int retriesMax) {

    public Limits {
        requirePositive("turnsMax", turnsMax);
        requirePositive("timeMax in ms", timeMax.toMillis());
        requirePositive("toolTimeMax in ms", toolTimeMax.toMillis());
        requirePositive("toolResultCharsMax", toolResultCharsMax);
        requirePositive("sameCallMax", sameCallMax);
        if (retriesMax < 0) {
            throw new IllegalArgumentException("retriesMax must not be negative: " + retriesMax);
        }
    }

    public static Limits standard() {
        return new Limits(50, null, null, Duration.ofMinutes(30), Duration.ofMinutes(11), 100_000, 5, 3);
    }

    public Limits withTurnsMax(int max) {
        return new Limits(max, tokensMax, costMax, timeMax, toolTimeMax, toolResultCharsMax, sameCallMax, retriesMax);
    }

    public Limits withTokensMax(long max) {
        return new Limits(turnsMax, max, costMax, timeMax, toolTimeMax, toolResultCharsMax, sameCallMax, retriesMax);
    }

    public Limits withTimeMax(Duration max) {
        return new Limits(turnsMax, tokensMax, costMax, max, toolTimeMax, toolResultCharsMax, sameCallMax, retriesMax);
    }

    public Limits withToolTimeMax(Duration max) {
        return new Limits(turnsMax, tokensMax, costMax, timeMax, max, toolResultCharsMax, sameCallMax, retriesMax);
    }

    public Limits withToolResultCharsMax(int max) {
        return new Limits(turnsMax, tokensMax, costMax, timeMax, toolTimeMax, max, sameCallMax, retriesMax);
    }

    public Limits withSameCallMax(int max) {
        return new Limits(turnsMax, tokensMax, costMax, timeMax, toolTimeMax, toolResultCharsMax, max, retriesMax);
    }

    private static void requirePositive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + " must be positive: " + value);
        }
    }
}

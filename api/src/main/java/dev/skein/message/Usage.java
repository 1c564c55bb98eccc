package dev.skein.message;

/// Tokens used. All counts are totals of their kind; cached and reasoning tokens are parts of input and output.
public record Usage(
        long inputTokens, long outputTokens, long cachedTokens, long cacheWriteTokens, long reasoningTokens) {

    public static final Usage NONE = new Usage(0, 0, 0, 0, 0);

    public Usage {
        if ((inputTokens | outputTokens | cachedTokens | cacheWriteTokens | reasoningTokens) < 0) {
            throw new IllegalArgumentException("token counts must not be negative");
        }
    }

    public static Usage of(long inputTokens, long outputTokens) {
        return new Usage(inputTokens, outputTokens, 0, 0, 0);
    }

    public Usage plus(Usage other) {
        return new Usage(
                inputTokens + other.inputTokens,
                outputTokens + other.outputTokens,
                cachedTokens + other.cachedTokens,
                cacheWriteTokens + other.cacheWriteTokens,
                reasoningTokens + other.reasoningTokens);
    }

    /// Input and output together.
    public long totalTokens() {
        return inputTokens + outputTokens;
    }
}

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
                sum(inputTokens, other.inputTokens),
                sum(outputTokens, other.outputTokens),
                sum(cachedTokens, other.cachedTokens),
                sum(cacheWriteTokens, other.cacheWriteTokens),
                sum(reasoningTokens, other.reasoningTokens));
    }

    /// Input and output together.
    public long totalTokens() {
        return sum(inputTokens, outputTokens);
    }

    /// Stops at the largest number, so that absurd counts in a journal cannot make it unreadable.
    private static long sum(long one, long other) {
        var sum = one + other;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }
}

package dev.skein.engine;

/// How the tool calls of one reply are run. Their results stand in the order asked in any case.
public sealed interface ToolOrder {

    /// All at once.
    record Parallel() implements ToolOrder {}

    /// One after the other.
    record Sequential() implements ToolOrder {}

    /// So many at once.
    record Batched(int size) implements ToolOrder {
        public Batched {
            if (size < 1) {
                throw new IllegalArgumentException("a batch has at least one call: " + size);
            }
        }
    }

    /// How many calls run at the same time.
    default int width(int calls) {
        return switch (this) {
            case Parallel _ -> calls;
            case Sequential _ -> 1;
            case Batched(var size) -> Math.min(size, calls);
        };
    }
}

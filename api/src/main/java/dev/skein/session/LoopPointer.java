package dev.skein.session;

import static java.util.Objects.requireNonNull;

/// A loop, and the sequence number at which it started, where a reader finds it without searching.
public record LoopPointer(LoopId loop, long seq) {
    public LoopPointer {
        requireNonNull(loop, "loop");
    }
}

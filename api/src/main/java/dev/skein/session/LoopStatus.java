package dev.skein.session;

import java.util.Locale;

/// Where a loop stands in its life.
public enum LoopStatus {
    /// Announced, not started: a branch of a parallel evaluation.
    PENDING,
    RUNNING,
    /// Stopped until a person decides about a tool call.
    WAITING,
    COMPLETED,
    /// An input filter refused the prompt.
    REJECTED,
    /// Ended early; what was finished is kept.
    ABORTED;

    public boolean ended() {
        return switch (this) {
            case COMPLETED, REJECTED, ABORTED -> true;
            case PENDING, RUNNING, WAITING -> false;
        };
    }

    /// The name on the wire, in lower case.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

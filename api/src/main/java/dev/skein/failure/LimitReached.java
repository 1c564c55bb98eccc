package dev.skein.failure;

/// A run used up what it was allowed.
public final class LimitReached extends SkeinException {

    /// `limit` names it, for example "50 turns"; `setting` is what to raise.
    public LimitReached(String limit, String setting) {
        super(
                FailureKind.LIMIT,
                "run.limit_reached",
                "the run reached its limit of " + limit + "; continue it, or raise " + setting,
                null);
    }
}

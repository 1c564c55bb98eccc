package dev.skein.failure;

/// Somebody else wrote to the session first. Read what is new and decide again.
public final class Concurrent extends SkeinException {

    private final long current;

    public Concurrent(Object session, long expected, long current) {
        super(
                FailureKind.CONFLICT,
                "session.concurrent",
                "session %s is at version %d, not %d; read what is new and try again"
                        .formatted(session, current, expected),
                null);
        this.current = current;
    }

    /// The version the session has now.
    public long current() {
        return current;
    }
}

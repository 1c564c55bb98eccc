package dev.skein.failure;

/// An idempotency key was used before, for other events.
public final class KeyConflict extends SkeinException {

    public KeyConflict(Object session, String key) {
        super(
                FailureKind.CONFLICT,
                "session.key_conflict",
                "the key '" + key + "' was already used in session " + session
                        + " for something else; use a new key for a new request",
                null);
    }
}

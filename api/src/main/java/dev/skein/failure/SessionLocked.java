package dev.skein.failure;

import java.time.Duration;

/// Somebody else is in the middle of a turn, and still was after the wait.
public final class SessionLocked extends SkeinException {

    public SessionLocked(Object session, Duration waited) {
        super(
                FailureKind.LOCKED,
                "session.locked",
                "session %s is busy with another turn (waited %d ms); try again when it is done"
                        .formatted(session, waited.toMillis()),
                null);
    }
}

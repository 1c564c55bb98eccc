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

    private SessionLocked(String code, String message) {
        super(FailureKind.LOCKED, code, message, null);
    }

    /// The right to write was given to somebody else, because this holder had not been heard of for too long.
    public static SessionLocked lost(Object session) {
        return new SessionLocked(
                "session.lease_lost",
                "the turn in session " + session + " was taken over while this program did not answer;"
                        + " nothing was written, begin the turn again");
    }
}

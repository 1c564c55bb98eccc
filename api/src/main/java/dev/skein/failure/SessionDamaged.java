package dev.skein.failure;

/// Part of a session's journal is unreadable. What is intact can still be read; writing waits for a repair.
public final class SessionDamaged extends SkeinException {

    /// `what` says where and how much, for example "2 records at byte 4711".
    public SessionDamaged(Object session, String what) {
        super(
                FailureKind.IO,
                "session.damaged",
                "session %s is damaged (%s) and read-only; `skein doctor --repair` keeps the original and mends it"
                        .formatted(session, what),
                null);
    }
}

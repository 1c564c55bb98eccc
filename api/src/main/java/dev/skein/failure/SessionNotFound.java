package dev.skein.failure;

/// There is no such session here: never made, deleted, or another owner's.
public final class SessionNotFound extends SkeinException {

    private SessionNotFound(String message) {
        super(FailureKind.NOT_FOUND, "session.not_found", message, null);
    }

    /// `name` is an id or an alias, as the caller gave it.
    public static SessionNotFound named(Object name) {
        return new SessionNotFound("there is no session '" + name + "'; list the sessions to see which there are");
    }

    public static SessionNotFound deleted(Object id) {
        return new SessionNotFound("session '" + id + "' was deleted while it was open; nothing was written");
    }
}

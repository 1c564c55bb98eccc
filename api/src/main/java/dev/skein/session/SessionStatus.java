package dev.skein.session;

import java.util.Locale;

/// What a session is doing.
public enum SessionStatus {
    IDLE,
    RUNNING,
    /// A tool call waits for a person's yes.
    WAITING,
    /// Its last loop ended early and can be continued.
    ABORTED;

    /// The name on the wire, in lower case.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

package dev.skein.session;

import java.util.Locale;

/// What made a loop or a turn start.
public enum Trigger {
    USER,
    SUB_AGENT,
    CONTINUATION,
    BRANCH;

    /// The name on the wire, in lower case.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

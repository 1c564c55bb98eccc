package dev.skein.session;

import java.util.Locale;

/// What a fragment of a message is part of.
public enum Delta {
    TEXT,
    THINKING,
    TOOL_CALL;

    /// The name on the wire, in lower case.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

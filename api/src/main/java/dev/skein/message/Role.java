package dev.skein.message;

import java.util.Locale;

/// Who speaks in a message.
public enum Role {
    SYSTEM,
    USER,
    ASSISTANT,
    TOOL;

    /// The name on the wire, in lower case.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

package dev.skein.session;

import java.util.Locale;

/// Whether a session is meant to be kept.
public enum Lifetime {
    PERSISTENT,
    EPHEMERAL;

    /// The name on the wire, in lower case.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

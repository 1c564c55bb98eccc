package dev.skein.failure;

import java.util.Locale;

/// What sort of failure this is, and so who has to act.
public enum FailureKind {
    INVALID_REQUEST,
    NOT_FOUND,
    UNAUTHORIZED,
    FORBIDDEN,
    CONFLICT,
    LOCKED,
    LIMIT,
    TIMEOUT,
    CANCELLED,
    PROVIDER,
    TOOL,
    IO;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

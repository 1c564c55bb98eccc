package dev.skein.server.auth;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Recognises callers by the `Authorization` header of a request.
///
/// Safe for use by many threads.
public interface Authentication {

    /// Empty if the header is missing or proves nothing. Why is not told to the caller.
    Optional<Caller> caller(@Nullable String authorization);

    /// Whether the proof that this caller once gave would still do. Streams ask now and then, and end if not.
    default boolean stillValid(Caller caller) {
        return true;
    }

    /// Reads again what may have changed: keys, tokens. Called on SIGHUP.
    default void reload() {}
}

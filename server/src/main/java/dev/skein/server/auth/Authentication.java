package dev.skein.server.auth;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Recognises callers by the `Authorization` header of a request.
///
/// Safe for use by many threads.
public interface Authentication {

    /// Empty if the header is missing or proves nothing. Why is not told to the caller.
    Optional<Caller> caller(@Nullable String authorization);
}

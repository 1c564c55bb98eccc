package dev.skein.failure;

import org.jspecify.annotations.Nullable;

/// The root of every failure that Skein raises on purpose.
public abstract sealed class SkeinException extends RuntimeException
        permits SessionNotFound,
                AliasInUse,
                InvalidAlias,
                InvalidRequest,
                Concurrent,
                KeyConflict,
                SessionLocked,
                SessionDamaged,
                StorageFailed,
                UnsupportedVersion,
                UnreadableImport,
                ModelFailed,
                OutputInvalid,
                Cancelled,
                LimitReached,
                NoSuchRoute,
                Unauthorized,
                Forbidden,
                TooManyRequests,
                RequestTooLarge,
                UnsafeSettings,
                RagFailed,
                VaultFailed {

    private final FailureKind kind;
    private final String code;

    SkeinException(FailureKind kind, String code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.code = code;
    }

    /// Who has to act. Front ends translate the kind, and only the kind.
    public final FailureKind kind() {
        return kind;
    }

    /// Stable and documented in `docs/errors.md`, for example `session.not_found`.
    public final String code() {
        return code;
    }
}

package dev.skein.server.audit;

import org.jspecify.annotations.Nullable;

/// Something that somebody did or tried.
///
/// @param action what, for example `POST /v1/sessions/{id}/completions` or `key.revoked`
/// @param subject who, or null if nobody knows
/// @param proof which key or token they showed, without its secret
/// @param outcome how it ended: a status, or a code of `docs/errors.md`
public record AuditEntry(
        String action,
        @Nullable String subject,
        @Nullable String proof,
        @Nullable String session,
        String outcome,
        @Nullable String requestId,
        @Nullable String remote) {

    /// Something that was done to the server itself.
    public static AuditEntry ofServer(String action, String outcome) {
        return new AuditEntry(action, null, null, null, outcome, null, null);
    }
}

package dev.skein.cli.keys;

import dev.skein.server.auth.StoredKey;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is told of a key: everything but its hash.
record KeySummary(
        String id,
        String subject,
        List<String> scopes,
        Instant created,
        @Nullable Instant revoked) {

    static KeySummary of(StoredKey key) {
        return new KeySummary(key.id(), key.subject(), key.scopes(), key.created(), key.revoked());
    }
}

package dev.skein.server.auth;

import dev.skein.failure.InvalidRequest;
import dev.skein.server.auth.Caller.Kind;
import dev.skein.server.auth.Caller.Proof;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A key as it is kept: who it stands for and what it allows, with a hash in place of the secret.
///
/// @param scopes what it allows, as the wire names it
/// @param revoked when it stopped to count, or null
public record StoredKey(
        String id,
        String subject,
        List<String> scopes,
        Instant created,
        @Nullable Instant revoked,
        String salt,
        String hash) {

    public StoredKey {
        scopes = List.copyOf(scopes);
        var _ = new Caller(subject, grants(scopes));
    }

    /// Whether it was not revoked.
    public boolean counts() {
        return revoked == null;
    }

    Caller caller() {
        return new Caller(subject, grants(scopes), new Proof(Kind.KEY, id, null));
    }

    SecretHash secretHash() {
        return SecretHash.ofHex(salt, hash);
    }

    StoredKey revokedAt(Instant when) {
        return new StoredKey(id, subject, scopes, created, when, salt, hash);
    }

    private static Set<Grant> grants(List<String> scopes) {
        var grants = EnumSet.noneOf(Grant.class);
        scopes.forEach(scope -> grants.add(Grant.of(scope)
                .orElseThrow(() -> new InvalidRequest("there is no scope '" + scope + "'; there are " + Grant.all()))));
        return grants;
    }
}

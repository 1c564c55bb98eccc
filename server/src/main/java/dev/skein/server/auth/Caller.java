package dev.skein.server.auth;

import dev.skein.failure.InvalidRequest;
import dev.skein.session.Scope;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Somebody who proved who they are. The subject owns the sessions it makes; the grants say which routes it may use.
public record Caller(String subject, Set<Grant> grants, Proof proof) {

    /// @throws InvalidRequest if the subject cannot own sessions
    public Caller {
        grants = Set.copyOf(grants);
        var _ = Scope.ofOwner(subject);
    }

    public Caller(String subject, Set<Grant> grants) {
        this(subject, grants, Proof.NONE);
    }

    public boolean may(Grant grant) {
        return grants.contains(grant);
    }

    /// What was shown, without its secret. `id` names the key; a token ends by itself at `until`.
    public record Proof(Kind kind, String id, @Nullable Instant until) {

        public static final Proof NONE = new Proof(Kind.NONE, "", null);
    }

    /// Which sort of proof it was.
    public enum Kind {
        NONE,
        LOCAL_TOKEN,
        KEY,
        JWT
    }
}

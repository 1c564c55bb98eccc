package dev.skein.server.auth;

import java.util.Set;

/// Somebody who proved who they are. The subject owns the sessions it makes; the grants say which routes it may use.
public record Caller(String subject, Set<Grant> grants) {

    public Caller {
        grants = Set.copyOf(grants);
    }

    public boolean may(Grant grant) {
        return grants.contains(grant);
    }
}

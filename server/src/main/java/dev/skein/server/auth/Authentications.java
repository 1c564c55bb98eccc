package dev.skein.server.auth;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Several ways to prove who one is: the first that says yes counts. If none does, nobody gets in.
public record Authentications(List<Authentication> ways) implements Authentication {

    public Authentications {
        ways = List.copyOf(ways);
    }

    @Override
    public Optional<Caller> caller(@Nullable String authorization) {
        for (var way : ways) {
            var caller = way.caller(authorization);
            if (caller.isPresent()) {
                return caller;
            }
        }
        return Optional.empty();
    }

    /// Each way speaks only of the proofs it knows, so all must agree.
    @Override
    public boolean stillValid(Caller caller) {
        for (var way : ways) {
            if (!way.stillValid(caller)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void reload() {
        ways.forEach(Authentication::reload);
    }
}

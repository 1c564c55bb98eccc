package dev.skein.server.auth;

import dev.skein.session.Scope;
import java.util.EnumSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Everybody is the person at the command line. For experiments on one machine; [Door] refuses it anywhere else.
final class NoAuthentication implements Authentication {

    private static final Caller ANYBODY = new Caller(Scope.LOCAL_OWNER, EnumSet.allOf(Grant.class));

    @Override
    public Optional<Caller> caller(@Nullable String authorization) {
        return Optional.of(ANYBODY);
    }
}

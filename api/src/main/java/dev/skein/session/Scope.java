package dev.skein.session;

import dev.skein.failure.InvalidRequest;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Under which owner and agent a session lives. Names are unique within one scope; owners are walls.
public record Scope(String owner, @Nullable String agent) {

    /// The owner of everything made on the command line.
    public static final String LOCAL_OWNER = "local";

    /// The command line's sessions that belong to no agent.
    public static final Scope LOCAL = new Scope(LOCAL_OWNER, null);

    private static final int LENGTH_MAX = 200;

    public Scope {
        check("owner", owner);
        if (agent != null) {
            check("agent", agent);
        }
    }

    public static Scope ofOwner(String owner) {
        return new Scope(owner, null);
    }

    public Scope withAgent(@Nullable String name) {
        return new Scope(owner, name);
    }

    public Optional<String> agentName() {
        return Optional.ofNullable(agent);
    }

    /// Written out, as [#equals]: every store looks up what belongs to a scope, and what the compiler leaves to the
    /// virtual machine takes a command that is over soon a while.
    @Override
    public int hashCode() {
        return 31 * owner.hashCode() + Objects.hashCode(agent);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Scope scope && owner.equals(scope.owner) && Objects.equals(agent, scope.agent);
    }

    private static void check(String what, String name) {
        if (name.isBlank() || name.length() > LENGTH_MAX || hasControl(name)) {
            throw new InvalidRequest("the " + what + " name must have 1 to " + LENGTH_MAX
                    + " characters, none of them a control character");
        }
    }

    private static boolean hasControl(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (Character.isISOControl(name.charAt(i))) {
                return true;
            }
        }
        return false;
    }
}

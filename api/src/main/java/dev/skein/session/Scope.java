package dev.skein.session;

import dev.skein.failure.InvalidRequest;
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

    private static void check(String what, String name) {
        if (name.isBlank() || name.length() > LENGTH_MAX || name.chars().anyMatch(Character::isISOControl)) {
            throw new InvalidRequest("the " + what + " name must have 1 to " + LENGTH_MAX
                    + " characters, none of them a control character");
        }
    }
}

package dev.skein.cli.settings;

import dev.skein.failure.InvalidRequest;
import dev.skein.session.SessionAlias;
import org.jspecify.annotations.Nullable;

/// With what a conversation begins if nobody says otherwise: a session, a role, or both.
public record Prelude(@Nullable String session, @Nullable String role) {

    /// Nothing in particular.
    public static final Prelude NONE = new Prelude(null, null);

    /// For prompts, for the terminal, and for agents.
    public record All(Prelude command, Prelude terminal, Prelude agent) {}

    /// `role:NAME`, `session:NAME`, or `SESSION:ROLE`.
    static Prelude parse(String text) {
        var colon = text.indexOf(':');
        var before = text.substring(0, Math.max(0, colon)).strip();
        var after = text.substring(colon + 1).strip();
        if (before.isEmpty() || after.isEmpty()) {
            throw new InvalidRequest("is role:NAME, session:NAME or SESSION:ROLE, not '" + text + "'");
        }
        return switch (before) {
            case "role" -> new Prelude(null, after);
            case "session" -> new Prelude(alias(after), null);
            default -> new Prelude(alias(before), after);
        };
    }

    /// The name of a session, with or without `session:` before it.
    static Prelude ofAgent(String text) {
        return new Prelude(alias(text.strip().replaceFirst("^session:", "").strip()), null);
    }

    private static String alias(String name) {
        return new SessionAlias(name).text();
    }
}

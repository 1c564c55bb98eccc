package dev.skein.store;

import dev.skein.failure.InvalidRequest;
import dev.skein.session.Scope;
import org.jspecify.annotations.Nullable;

/// Which sessions to list. `alias` and `text` match anywhere and ignore case; text looks at alias, description
/// and first message. The cursor comes from the page before.
public record ListQuery(
        String owner,
        Agents agents,
        @Nullable String alias,
        @Nullable String text,
        int limit,
        @Nullable String cursor) {

    /// Sessions on one page at most.
    public static final int LIMIT_MAX = 100_000;

    public ListQuery {
        if (limit < 1 || limit > LIMIT_MAX) {
            throw new InvalidRequest("a page has 1 to " + LIMIT_MAX + " sessions, not " + limit);
        }
    }

    /// Whose sessions among one owner's: everybody's, those of no agent, or those of one.
    public sealed interface Agents {
        /// Whether sessions of this scope are meant. Each says it itself: preparing a switch over types takes a
        /// command that is over soon a tenth of its time.
        boolean include(Scope scope);

        record Any() implements Agents {
            @Override
            public boolean include(Scope scope) {
                return true;
            }
        }

        record None() implements Agents {
            @Override
            public boolean include(Scope scope) {
                return scope.agent() == null;
            }
        }

        record Named(String agent) implements Agents {
            @Override
            public boolean include(Scope scope) {
                return agent.equals(scope.agent());
            }
        }
    }

    public static ListQuery of(Scope scope) {
        var agents = scope.agent() == null ? new Agents.None() : new Agents.Named(scope.agent());
        return new ListQuery(scope.owner(), agents, null, null, 50, null);
    }

    public static ListQuery ofOwner(String owner) {
        return new ListQuery(owner, new Agents.Any(), null, null, 50, null);
    }

    public ListQuery withAlias(@Nullable String newAlias) {
        return new ListQuery(owner, agents, newAlias, text, limit, cursor);
    }

    public ListQuery withText(@Nullable String newText) {
        return new ListQuery(owner, agents, alias, newText, limit, cursor);
    }

    public ListQuery withLimit(int newLimit) {
        return new ListQuery(owner, agents, alias, text, newLimit, cursor);
    }

    public ListQuery after(@Nullable String newCursor) {
        return new ListQuery(owner, agents, alias, text, limit, newCursor);
    }
}

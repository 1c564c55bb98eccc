package dev.skein.cli.session;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Nearest;
import dev.skein.failure.SessionNotFound;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import dev.skein.store.ListQuery;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// Finds the session that a person means: by UUID, by alias, or by the beginning of a UUID.
public final class Names {

    private static final Pattern UUID_BEGINNING = Pattern.compile("(?i)[0-9a-f]{6,8}(-[0-9a-f-]{0,27})?");
    private static final int PAGE = 1_000;

    private final Program program;

    public Names(Program program) {
        this.program = program;
    }

    /// A session and where it lives.
    public record Found(Scope scope, SessionId id) {}

    public Found find(String name) {
        var id = SessionId.parse(name);
        return id.isPresent() ? byId(id.get(), name) : byAliasOrBeginning(name);
    }

    public SessionHandle open(String name) {
        var found = find(name);
        return program.store().open(found.scope(), found.id());
    }

    /// How a person would call this session again.
    static String label(SessionSummary summary) {
        return summary.alias() != null ? summary.alias() : String.valueOf(summary.id());
    }

    private Found byId(SessionId id, String name) {
        return program.store()
                .locate(program.owner(), id)
                .filter(this::isMeant)
                .map(scope -> new Found(scope, id))
                .orElseThrow(() -> SessionNotFound.named(name));
    }

    private boolean isMeant(Scope scope) {
        return program.options()
                .agent()
                .map(agent -> agent.equals(scope.agent()))
                .orElse(true);
    }

    private Found byAliasOrBeginning(String name) {
        var beginning = UUID_BEGINNING.matcher(name).matches();
        var alias = new SessionAlias(name);
        var byAlias = program.store().resolve(program.scope(), alias);
        if (byAlias.isPresent()) {
            return new Found(program.scope(), byAlias.get());
        }
        var candidates = beginning ? startingWith(name.toLowerCase(Locale.ROOT)) : List.<Found>of();
        if (candidates.size() > 1) {
            throw CommandFailure.usage("'%s' begins the ids of %d sessions, among them %s and %s; give more of it"
                    .formatted(
                            name,
                            candidates.size(),
                            candidates.get(0).id(),
                            candidates.get(1).id()));
        }
        if (candidates.size() == 1) {
            return candidates.getFirst();
        }
        throw CommandFailure.noSession(name, nextStep(alias));
    }

    private List<Found> startingWith(String beginning) {
        var found = new ArrayList<Found>();
        matching(ListQuery.ofOwner(program.owner()), summary -> {
            var id = summary.id();
            var scope = new Scope(summary.owner(), summary.agent());
            if (id != null && id.toString().startsWith(beginning) && isMeant(scope)) {
                found.add(new Found(scope, id));
            }
            return false;
        });
        return found;
    }

    /// Another agent may have a session of this name, or a name may be close to it.
    private String nextStep(SessionAlias alias) {
        var elsewhere = new ArrayList<SessionSummary>();
        matching(ListQuery.ofOwner(program.owner()).withAlias(alias.text()), summary -> {
            var same = summary.alias() != null && summary.alias().equalsIgnoreCase(alias.text());
            return same && elsewhere.add(summary);
        });
        if (!elsewhere.isEmpty()) {
            var agent = elsewhere.getFirst().agent();
            return agent == null
                    ? "one of that name belongs to no agent: leave --agent out"
                    : "agent '" + agent + "' has one: add --agent " + agent;
        }
        var names = new ArrayList<String>();
        matching(ListQuery.of(program.scope()), summary -> {
            if (summary.alias() != null) {
                names.add(summary.alias());
            }
            return names.size() >= PAGE;
        });
        return Nearest.to(alias.text(), names)
                .map(nearest -> "did you mean '" + nearest + "'?")
                .orElse("'skein session list' shows which there are");
    }

    /// Goes through all pages until the visitor has seen enough.
    private void matching(ListQuery query, Predicate<SessionSummary> enough) {
        var next = query.withLimit(PAGE);
        while (true) {
            var page = program.store().list(next);
            if (page.sessions().stream().anyMatch(enough) || page.nextCursor() == null) {
                return;
            }
            next = next.after(page.nextCursor());
        }
    }
}

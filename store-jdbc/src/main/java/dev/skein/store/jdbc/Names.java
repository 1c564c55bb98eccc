package dev.skein.store.jdbc;

import dev.skein.failure.AliasInUse;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.SessionNotFound;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.store.jdbc.sql.Database;
import dev.skein.store.jdbc.sql.Database.Duplicate;
import dev.skein.store.jdbc.sql.Dialect;
import dev.skein.store.jdbc.sql.Dialect.Body;
import dev.skein.store.jdbc.sql.Link;
import dev.skein.store.jdbc.sql.SqlText;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Which sessions there are and what they are called: makes, finds and renames them. Safe for use by many threads.
final class Names {

    private static final int TRIES_MAX = 5;

    private final Database database;
    private final Supplier<SessionId> freshIds;

    Names(Database database, Supplier<SessionId> freshIds) {
        this.database = database;
        this.freshIds = freshIds;
    }

    /// Where a fork leaves its parent, as the tables call it.
    record Branch(UUID parent, long base) {}

    /// A session to make, with its events from its opening on.
    record Birth(
            Scope scope,
            SessionId id,
            @Nullable SessionAlias alias,
            @Nullable Branch branch,
            List<SessionEvent> events,
            List<Body> bodies) {}

    /// Makes the session; all of it is there when this returns, or nothing.
    UUID make(Birth birth) {
        var session = birth.id().uuid();
        for (int tries = 1; ; tries++) {
            var as = session;
            try {
                return database.transaction("make session " + birth.id(), link -> {
                    insert(link, as, birth);
                    return as;
                });
            } catch (Duplicate e) {
                requireFree(birth);
                if (tries == TRIES_MAX) {
                    throw e;
                }
                // Another owner has a session with this id, or one that was deleted lives on in its forks.
                session = freshIds.get().uuid();
            }
        }
    }

    Optional<UUID> find(Scope scope, SessionId id) {
        return find(scope, id, "live");
    }

    Optional<UUID> findTrashed(Scope scope, SessionId id) {
        return find(scope, id, "trash");
    }

    UUID require(Scope scope, SessionId id) {
        return find(scope, id).orElseThrow(() -> SessionNotFound.named(id));
    }

    Optional<SessionId> resolve(Scope scope, SessionAlias alias) {
        return database.read(
                "look for a name",
                link -> link.first(
                        "SELECT id FROM skein_session WHERE owner = ? AND agent = ? AND alias_folded = ?"
                                + " AND life = 'live'",
                        row -> new SessionId(link.uuid(row, 1)),
                        owner(scope),
                        agent(scope),
                        SqlText.escape(alias.folded())));
    }

    Optional<Scope> locate(String owner, SessionId id) {
        return database.read(
                "look for a session",
                link -> link.first(
                        "SELECT agent FROM skein_session WHERE id = ? AND owner = ? AND life = 'live'",
                        row -> scope(owner, row.getString(1)),
                        id.uuid(),
                        SqlText.escape(owner)));
    }

    /// All scopes that have sessions.
    List<Scope> scopes() {
        return database.read(
                "list scopes",
                link -> link.query(
                        "SELECT DISTINCT owner, agent FROM skein_session WHERE life = 'live' ORDER BY owner, agent",
                        row -> scope(SqlText.unescape(row.getString(1)), row.getString(2))));
    }

    void rename(Scope scope, SessionId id, @Nullable SessionAlias alias) {
        if (!set(scope, id, alias, "")) {
            throw SessionNotFound.named(id);
        }
    }

    /// Whether it had no name until now.
    boolean nameFirst(Scope scope, SessionId id, SessionAlias alias) {
        return set(scope, id, alias, " AND alias IS NULL");
    }

    private boolean set(Scope scope, SessionId id, @Nullable SessionAlias alias, String condition) {
        var session = require(scope, id);
        var update = "UPDATE skein_session SET alias = ?, alias_folded = ? WHERE session = ? AND life = 'live'";
        try {
            return database.write(
                            "rename session " + id,
                            link -> link.update(
                                    update + condition,
                                    alias == null ? null : SqlText.escape(alias.text()),
                                    alias == null ? null : SqlText.escape(alias.folded()),
                                    session))
                    > 0;
        } catch (Duplicate _) {
            throw taken(scope, alias);
        }
    }

    static String owner(Scope scope) {
        return SqlText.escape(scope.owner());
    }

    /// No agent is an empty name, so that names are unique there too.
    static String agent(Scope scope) {
        return scope.agent() == null ? "" : SqlText.escape(scope.agent());
    }

    static Scope scope(String owner, String agent) {
        return new Scope(owner, agent.isEmpty() ? null : SqlText.unescape(agent));
    }

    private Optional<UUID> find(Scope scope, SessionId id, String life) {
        return database.read(
                "look for a session",
                link -> link.first(
                        "SELECT session FROM skein_session WHERE id = ? AND owner = ? AND agent = ? AND life = ?",
                        row -> link.uuid(row, 1),
                        id.uuid(),
                        owner(scope),
                        agent(scope),
                        life));
    }

    private void insert(Link link, UUID session, Birth birth) throws SQLException {
        var branch = birth.branch();
        var base = branch == null ? 0 : branch.base();
        if (branch != null) {
            requireParent(link, branch);
        }
        var alias = birth.alias();
        var activity = Bodies.newest(birth.events());
        link.update(
                "INSERT INTO skein_session (session, id, owner, agent, alias, alias_folded, parent, base, life)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'live')",
                session,
                birth.id().uuid(),
                owner(birth.scope()),
                agent(birth.scope()),
                alias == null ? null : SqlText.escape(alias.text()),
                alias == null ? null : SqlText.escape(alias.folded()),
                branch == null ? null : branch.parent(),
                base);
        link.update(
                "INSERT INTO skein_head (session, id, owner, agent, life, version, activity, minute, indexed)"
                        + " VALUES (?, ?, ?, ?, 'live', ?, ?, ?, ?)",
                session,
                birth.id().uuid(),
                owner(birth.scope()),
                agent(birth.scope()),
                base + birth.bodies().size(),
                activity,
                Dialect.minute(activity),
                base);
        database.dialect().insertEvents(link, session, base + 1, birth.bodies());
    }

    /// Holds the parent until the fork is there: nobody must sweep it away meanwhile.
    private void requireParent(Link link, Branch branch) throws SQLException {
        var there = link.first(
                "SELECT 1 FROM skein_session WHERE session = ? AND life = 'live'"
                        + database.dialect().shared(),
                row -> row.getInt(1),
                branch.parent());
        if (there.isEmpty()) {
            throw SessionNotFound.named(branch.parent());
        }
    }

    private void requireFree(Birth birth) {
        var used = database.read(
                "look for a session",
                link -> link.first(
                        "SELECT 1 FROM skein_session WHERE id = ? AND owner = ? AND life <> 'gone'",
                        row -> row.getInt(1),
                        birth.id().uuid(),
                        owner(birth.scope())));
        if (used.isPresent()) {
            throw new InvalidRequest(
                    "there is a session " + birth.id() + " already; leave the id out to get a new one");
        }
        var alias = birth.alias();
        if (alias != null && resolve(birth.scope(), alias).isPresent()) {
            throw taken(birth.scope(), alias);
        }
    }

    private AliasInUse taken(Scope scope, @Nullable SessionAlias alias) {
        var holder = alias == null ? Optional.<SessionId>empty() : resolve(scope, alias);
        return new AliasInUse(
                String.valueOf(alias), holder.map(SessionId::toString).orElse("of somebody else"));
    }
}

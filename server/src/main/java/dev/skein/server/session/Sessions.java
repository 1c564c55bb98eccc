package dev.skein.server.session;

import dev.skein.failure.Forbidden;
import dev.skein.failure.SessionNotFound;
import dev.skein.server.auth.Caller;
import dev.skein.server.auth.Grant;
import dev.skein.server.http.Exchange;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionStore;

/// Finds the session that a request means: by UUID, or by the name that its caller gave it. Another owner's session is
/// not there.
public record Sessions(SessionStore store) {

    /// A session and where it lives.
    public record Found(Scope scope, SessionId id) {}

    /// The session in the path, to be changed.
    public Found own(Exchange exchange) {
        return find(exchange, exchange.caller().subject());
    }

    public SessionHandle openOwn(Exchange exchange) {
        return open(exchange, exchange.caller().subject());
    }

    /// The session in the path, to be read: with the grant for it, also another owner's, who is named in the query.
    public SessionHandle openReadable(Exchange exchange) {
        return open(exchange, readableOwner(exchange));
    }

    /// Most sessions belong to no agent, so that is tried before they are looked for.
    private SessionHandle open(Exchange exchange, String owner) {
        var id = SessionId.parse(exchange.parameter("id"));
        if (id.isPresent()) {
            try {
                return store.open(Scope.ofOwner(owner), id.get());
            } catch (SessionNotFound _) {
                // It may be an agent's.
            }
        }
        var found = find(exchange, owner);
        return store.open(found.scope(), found.id());
    }

    private static String readableOwner(Exchange exchange) {
        var caller = exchange.caller();
        return exchange.query("owner").filter(_ -> mayReadAll(caller)).orElse(caller.subject());
    }

    /// Whose sessions are listed or searched.
    ///
    /// @throws Forbidden if they are somebody else's and the caller may not read those
    public static String listedOwner(Exchange exchange) {
        var caller = exchange.caller();
        var owner = exchange.query("owner").orElse(caller.subject());
        if (!owner.equals(caller.subject()) && !mayReadAll(caller)) {
            throw Forbidden.needs(Grant.ADMIN_SESSIONS.wire());
        }
        return Scope.ofOwner(owner).owner();
    }

    private static boolean mayReadAll(Caller caller) {
        return caller.may(Grant.ADMIN_SESSIONS);
    }

    private Found find(Exchange exchange, String owner) {
        var name = exchange.parameter("id");
        var id = SessionId.parse(name);
        if (id.isPresent()) {
            return store.locate(owner, id.get())
                    .map(scope -> new Found(scope, id.get()))
                    .orElseThrow(() -> SessionNotFound.named(name));
        }
        var scope = new Scope(owner, exchange.query("agent").orElse(null));
        return store.resolve(scope, new SessionAlias(name))
                .map(found -> new Found(scope, found))
                .orElseThrow(() -> SessionNotFound.named(name));
    }
}

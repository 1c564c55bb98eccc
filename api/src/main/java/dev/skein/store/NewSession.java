package dev.skein.store;

import static java.util.Objects.requireNonNullElse;

import dev.skein.session.ForkRef;
import dev.skein.session.Formation;
import dev.skein.session.Lifetime;
import dev.skein.session.Origin;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.session.SpawnRef;
import dev.skein.wire.FormatVersion;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A session to make. Start from [#in] and change what differs. Without an id, the store invents one.
///
/// `events` are part of the session from its first moment: a settings event, or a whole imported history.
public record NewSession(
        Scope scope,
        @Nullable SessionId id,
        @Nullable SessionAlias alias,
        boolean autoname,
        Formation formation,
        Lifetime lifetime,
        @Nullable Origin origin,
        @Nullable SpawnRef spawn,
        Map<String, JsonNode> metadata,
        List<SessionEvent> events) {

    public NewSession {
        metadata = requireNonNullElse(metadata, Map.of());
        events = List.copyOf(events);
        Batch.requireNoOpening(events);
    }

    public static NewSession in(Scope scope) {
        return new NewSession(
                scope,
                null,
                null,
                false,
                new Formation.Explicit(),
                Lifetime.PERSISTENT,
                null,
                null,
                Map.of(),
                List.of());
    }

    /// The event that opens this session, for the store that makes it.
    public SessionEvent.SessionOpened opened(Instant at, SessionId as, @Nullable ForkRef fork) {
        return new SessionEvent.SessionOpened(
                at,
                FormatVersion.current().number(),
                as,
                scope.owner(),
                scope.agent(),
                alias,
                autoname ? true : null,
                formation,
                origin,
                spawn,
                fork,
                lifetime,
                metadata);
    }

    public NewSession withId(SessionId newId) {
        return new NewSession(scope, newId, alias, autoname, formation, lifetime, origin, spawn, metadata, events);
    }

    public NewSession named(String newAlias) {
        return named(new SessionAlias(newAlias));
    }

    public NewSession named(@Nullable SessionAlias newAlias) {
        return new NewSession(scope, id, newAlias, autoname, formation, lifetime, origin, spawn, metadata, events);
    }

    public NewSession autonamed() {
        return new NewSession(scope, id, alias, true, formation, lifetime, origin, spawn, metadata, events);
    }

    public NewSession from(Origin newOrigin) {
        return new NewSession(scope, id, alias, autoname, formation, lifetime, newOrigin, spawn, metadata, events);
    }

    public NewSession spawnedBy(SpawnRef newSpawn) {
        return new NewSession(scope, id, alias, autoname, formation, lifetime, origin, newSpawn, metadata, events);
    }

    public NewSession formedBy(Formation newFormation) {
        return new NewSession(scope, id, alias, autoname, newFormation, lifetime, origin, spawn, metadata, events);
    }

    public NewSession lasting(Lifetime newLifetime) {
        return new NewSession(scope, id, alias, autoname, formation, newLifetime, origin, spawn, metadata, events);
    }

    public NewSession withMetadata(Map<String, JsonNode> newMetadata) {
        return new NewSession(scope, id, alias, autoname, formation, lifetime, origin, spawn, newMetadata, events);
    }

    public NewSession withEvents(List<? extends SessionEvent> newEvents) {
        return new NewSession(
                scope, id, alias, autoname, formation, lifetime, origin, spawn, metadata, List.copyOf(newEvents));
    }
}

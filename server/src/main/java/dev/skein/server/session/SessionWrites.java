package dev.skein.server.session;

import dev.skein.engine.Overrides;
import dev.skein.failure.KeyConflict;
import dev.skein.failure.SkeinException;
import dev.skein.server.http.Digest;
import dev.skein.server.http.Exchange;
import dev.skein.server.http.Fields;
import dev.skein.server.http.HttpFailure;
import dev.skein.server.http.IdempotencyKey;
import dev.skein.server.setup.Backend;
import dev.skein.session.Entry;
import dev.skein.session.OwnNames;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.session.SessionSettings;
import dev.skein.session.SessionState;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionSummary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Makes, changes and deletes sessions. Their owner is always the caller, whatever a body says.
public record SessionWrites(Backend backend, Sessions sessions) {

    private static final int DESCRIPTION_MAX = 10_000;

    /// Where a session's metadata has the digest of the request that made it, if that had a key.
    private static final String DIGEST = "request_digest";

    private static final String OURS = OwnNames.NOTES;

    public void create(Exchange exchange) {
        var body = exchange.body();
        var scope = new Scope(
                exchange.caller().subject(), body.optionalText("agent").orElse(null));
        var key = IdempotencyKey.of(exchange);
        if (key.isEmpty()) {
            try (var session = backend.store().create(template(scope, body, Optional.empty()))) {
                exchange.answer(201, SessionSummary.of(session.state()));
            }
            return;
        }
        createOnce(exchange, scope, body, key.get());
    }

    /// The key decides the session's id, so a session of that id is what this request made before.
    private void createOnce(Exchange exchange, Scope scope, Fields body, IdempotencyKey key) {
        var id = new SessionId(Digest.uuid("session", scope.owner(), key.text()));
        var digest = IdempotencyKey.digest(exchange, body);
        var template = template(scope, body, Optional.of(digest)).withId(id);
        if (backend.store().locate(scope.owner(), id).isEmpty()) {
            try (var session = backend.store().create(template)) {
                exchange.answer(201, SessionSummary.of(session.state()));
                return;
            } catch (SkeinException e) {
                if (backend.store().locate(scope.owner(), id).isEmpty()) {
                    throw e;
                }
            }
        }
        try (var session = backend.store().open(scope, id)) {
            var made = asMade(session, 1 + template.events().size());
            if (!made.opened()
                    .metadata()
                    .getOrDefault(OURS, JsonNodeFactory.instance.objectNode())
                    .path(DIGEST)
                    .asString("")
                    .equals(digest)) {
                throw new KeyConflict(id, key.text());
            }
            exchange.answer(201, SessionSummary.of(made));
        }
    }

    /// The session as it was when it was new, with so many events.
    private static SessionState asMade(SessionHandle session, int events) {
        try (var watch = session.watch(1)) {
            SessionState state = null;
            for (int i = 0; i < events; i++) {
                Entry entry = watch.next(Duration.ZERO).orElse(null);
                if (entry == null) {
                    break;
                }
                state = state == null ? SessionState.opening(entry) : state.after(entry);
            }
            return state == null ? session.state() : state;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return session.state();
        }
    }

    private NewSession template(Scope scope, Fields body, Optional<String> digest) {
        body.optionalText("role").ifPresent(backend.app()::role);
        var events = new ArrayList<SessionEvent>();
        var now = backend.clock().instant();
        description(body).ifPresent(text -> events.add(new SessionEvent.SessionDescribed(now, text)));
        var settings = answered(scope, SessionSettingFields.changed(SessionSettings.NONE, body), body);
        if (!settings.equals(SessionSettings.NONE)) {
            requireUsable(scope, settings);
            events.add(new SessionEvent.SessionConfigured(now, settings));
        }
        var metadata = metadata(body);
        digest.ifPresent(
                text -> metadata.put(OURS, JsonNodeFactory.instance.objectNode().put(DIGEST, text)));
        return NewSession.in(scope)
                .named(body.optionalText("alias").map(SessionAlias::new).orElse(null))
                .withMetadata(metadata)
                .withEvents(events);
    }

    /// A session that is made with an agent lives with it.
    private SessionSettings answered(Scope scope, SessionSettings settings, Fields body) {
        if (scope.agent() == null) {
            return settings;
        }
        var app = backend.app();
        return app.answeredBy(app.agent(scope.agent()), AgentRoutes.variables(body), settings);
    }

    private static Map<String, JsonNode> metadata(Fields body) {
        var metadata = new LinkedHashMap<String, JsonNode>();
        body.optionalObject("metadata").ifPresent(given -> given.forEachEntry(metadata::put));
        OwnNames.OF_SESSIONS.refuseIn(metadata.keySet(), "field 'metadata'");
        return metadata;
    }

    private static Optional<String> description(Fields body) {
        return body.optionalText("description").map(text -> {
            if (text.length() > DESCRIPTION_MAX) {
                throw HttpFailure.invalid(
                        "field 'description' has more than " + DESCRIPTION_MAX + " characters; shorten it");
            }
            return text;
        });
    }

    /// A model or tool that cannot be had is refused now, not at the first prompt.
    private void requireUsable(Scope scope, SessionSettings settings) {
        var _ = backend.app().resolve(scope.agent(), settings, Overrides.NONE);
    }

    public void change(Exchange exchange) {
        try (var session = sessions.openOwn(exchange)) {
            var body = exchange.body();
            body.optionalText("role").ifPresent(backend.app()::role);
            var description = description(body);
            var alias = body.optionalText("alias").map(SessionAlias::new);
            if (SessionSettingFields.anyIn(body)) {
                requireUsable(
                        session.scope(),
                        SessionSettingFields.changed(session.state().settings(), body));
                backend.engine().configure(session, settings -> SessionSettingFields.changed(settings, body));
            }
            if (description.isPresent()) {
                session.append(List.of(
                        new SessionEvent.SessionDescribed(backend.clock().instant(), description.get())));
            }
            if (body.has("alias")) {
                backend.store().rename(session.scope(), session.id(), alias.orElse(null));
            }
            exchange.answer(200, SessionSummary.of(session.state()));
        }
    }

    public void delete(Exchange exchange) {
        var found = sessions.own(exchange);
        backend.store().delete(found.scope(), found.id());
        exchange.done();
    }

    public void fork(Exchange exchange) {
        var body = exchange.body();
        try (var parent = sessions.openOwn(exchange)) {
            var at = body.optionalWhole("at", 1, Long.MAX_VALUE)
                    .orElse(parent.state().version());
            var child = NewSession.in(parent.scope())
                    .named(body.optionalText("alias").map(SessionAlias::new).orElse(null))
                    .withMetadata(metadata(body));
            try (var forked = backend.store().fork(parent.scope(), parent.id(), at, child)) {
                exchange.answer(201, SessionSummary.of(forked.state()));
            }
        }
    }

    public void undo(Exchange exchange) {
        try (var session = sessions.openOwn(exchange)) {
            backend.engine().undo(session);
            exchange.answer(200, SessionSummary.of(session.state()));
        }
    }

    public void empty(Exchange exchange) {
        try (var session = sessions.openOwn(exchange)) {
            backend.engine().empty(session);
            exchange.answer(200, SessionSummary.of(session.state()));
        }
    }
}

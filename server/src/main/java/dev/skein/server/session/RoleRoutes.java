package dev.skein.server.session;

import dev.skein.failure.SkeinException;
import dev.skein.server.http.Exchange;
import dev.skein.server.setup.Backend;

/// The roles there are, and the one a session answers in.
public record RoleRoutes(Backend backend, Sessions sessions) {

    public void list(Exchange exchange) {
        var answer = Exchange.object();
        var list = answer.putArray("roles");
        for (var name : backend.app().roles().names()) {
            var each = list.addObject().put("name", name);
            try {
                var role = backend.app().role(name);
                each.put("description", role.description());
                each.put("model", role.model() == null ? null : role.model().toString());
            } catch (SkeinException _) {
                each.put("description", "cannot be read").putNull("model");
            }
        }
        exchange.answer(answer);
    }

    public void set(Exchange exchange) {
        try (var session = sessions.openOwn(exchange)) {
            var role = backend.app().role(exchange.body().text("role"));
            backend.engine().configure(session, settings -> settings.withRole(role.name()));
            exchange.answer(Exchange.object().put("role", role.name()));
        }
    }

    public void clear(Exchange exchange) {
        try (var session = sessions.openOwn(exchange)) {
            backend.engine().configure(session, settings -> settings.withRole(null));
        }
        exchange.done();
    }
}

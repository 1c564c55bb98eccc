package dev.skein.server.rag;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.RagFailed;
import dev.skein.failure.SkeinException;
import dev.skein.retrieval.RagKey;
import dev.skein.server.http.Exchange;
import dev.skein.server.http.Problem;
import dev.skein.server.session.Sessions;
import dev.skein.server.setup.Backend;
import dev.skein.server.setup.Documents;
import dev.skein.server.stream.Sse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import tools.jackson.databind.node.ObjectNode;

/// The documents there are, and those a session answers from.
public record RagRoutes(Backend backend, Sessions sessions) {

    public void list(Exchange exchange) {
        var listing = backend.documents().list();
        var answer = Exchange.object();
        var rags = answer.putArray("rags");
        for (var each : listing.rags()) {
            rags.addObject()
                    .put("name", each.name())
                    .put("embedding", each.embedding())
                    .put("documents", each.documents())
                    .put("passages", each.passages())
                    .put("built_at", each.builtAt().toString());
        }
        var problems = answer.putArray("problems");
        listing.problems().forEach(problems::add);
        exchange.answer(answer);
    }

    public void set(Exchange exchange) {
        try (var session = sessions.openOwn(exchange)) {
            var key = new RagKey.Named(exchange.body().text("rag"));
            if (!backend.app().retrievers().has(key)) {
                throw RagFailed.notFound(key.name());
            }
            backend.engine().configure(session, settings -> settings.withRag(key.name()));
            exchange.answer(Exchange.object().put("rag", key.name()));
        }
    }

    public void clear(Exchange exchange) {
        try (var session = sessions.openOwn(exchange)) {
            backend.engine().configure(session, settings -> settings.withRag(null));
        }
        exchange.done();
    }

    public void rebuild(Exchange exchange) {
        var key = new RagKey.Named(exchange.parameter("name"));
        var streams = exchange.body().optionalFlag("stream").orElse(exchange.acceptsEvents());
        if (!backend.app().retrievers().has(key)) {
            throw RagFailed.notFound(key.name());
        }
        if (streams) {
            stream(exchange, key);
        } else {
            exchange.answer(built(backend.documents().rebuild(key.name(), (_, _, _) -> {}, new Cancellation())));
        }
    }

    /// Whoever goes away while it is told ends the build: what was there before stays.
    private void stream(Exchange exchange, RagKey.Named key) {
        var cancellation = new Cancellation();
        try (var out = exchange.eventStream()) {
            try {
                var built = backend.documents()
                        .rebuild(
                                key.name(),
                                (done, total, document) -> {
                                    if (!tell(out, "progress", progress(done, total, document))) {
                                        cancellation.cancel("the client went away");
                                    }
                                },
                                cancellation);
                tell(out, "finished", built(built));
            } catch (SkeinException e) {
                tell(out, "error", Exchange.object().put("code", e.code()).put("message", e.getMessage()));
            } catch (RuntimeException e) {
                tell(
                        out,
                        "error",
                        Problem.of(e, exchange.id()).json(exchange.id()).withObject("error"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ObjectNode progress(int done, int total, String document) {
        return Exchange.object().put("done", done).put("total", total).put("document", document);
    }

    /// Whether somebody still listens.
    private static boolean tell(OutputStream out, String event, ObjectNode data) {
        try {
            out.write(Sse.event(event, null, data));
            out.flush();
            return true;
        } catch (IOException | UncheckedIOException _) {
            return false;
        }
    }

    private static ObjectNode built(Documents.Built built) {
        var answer = Exchange.object()
                .put("added", built.added())
                .put("changed", built.changed())
                .put("removed", built.removed())
                .put("unchanged", built.unchanged())
                .put("passages", built.passages());
        var problems = answer.putArray("problems");
        built.problems().forEach(problems::add);
        return answer;
    }
}

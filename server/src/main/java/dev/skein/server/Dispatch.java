package dev.skein.server;

import dev.skein.engine.Overrides;
import dev.skein.failure.NoSuchRoute;
import dev.skein.server.auth.Grant;
import dev.skein.server.channel.ChannelRoutes;
import dev.skein.server.http.Exchange;
import dev.skein.server.http.HttpFailure;
import dev.skein.server.http.Problem;
import dev.skein.server.openai.OpenAiRoutes;
import dev.skein.server.page.Page;
import dev.skein.server.rag.RagRoutes;
import dev.skein.server.route.Match;
import dev.skein.server.run.RunRoutes;
import dev.skein.server.schedule.ScheduleRoutes;
import dev.skein.server.session.AgentRoutes;
import dev.skein.server.session.RoleRoutes;
import dev.skein.server.session.SessionReads;
import dev.skein.server.session.SessionWrites;
import dev.skein.server.setup.Backend;
import dev.skein.server.setup.ServerOptions;
import dev.skein.session.SessionSettings;
import dev.skein.tool.Tool;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ServerConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Gives each request to whoever answers its route, and tells what goes wrong in one shape.
record Dispatch(
        Backend backend,
        ServerOptions options,
        SessionReads reads,
        SessionWrites writes,
        RunRoutes run,
        OpenAiRoutes openAi,
        ChannelRoutes channels,
        RoleRoutes roles,
        AgentRoutes agents,
        RagRoutes rags,
        ScheduleRoutes schedules,
        Page page)
        implements Handler {

    private static final String OPENAPI = "/dev/skein/server/openapi.yaml";
    private static final HeaderName REQUEST_ID = HeaderNames.create(Exchange.REQUEST_ID);

    @Override
    public void handle(ServerRequest request, ServerResponse response) {
        var id = requestId(response);
        try {
            var found = found(request);
            answer(new Exchange(request, response, found, id, options.bodyMax()));
        } catch (CloseConnectionException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            if (response.isSent() || response.bytesWritten() > 0) {
                throw new ServerConnectionException("the answer had begun", e);
            }
            if (response instanceof RoutingResponse begun) {
                // Nothing of the stream has left yet, so the failure can still be the answer.
                begun.resetStream();
            }
            Exchange.fail(response, Problem.of(e, id), id);
        }
    }

    /// Filters may have given the request its id already.
    private String requestId(ServerResponse response) {
        return response.headers().first(REQUEST_ID).orElseGet(() -> {
            var id = backend.ids().request();
            response.header(REQUEST_ID, id);
            return id;
        });
    }

    private static Match.Found found(ServerRequest request) {
        var prologue = request.prologue();
        return switch (Match.of(prologue.method().text(), prologue.uriPath().rawPath())) {
            case Match.Found found -> found;
            case Match.WrongMethod(var allowed) -> throw HttpFailure.wrongMethod(allowed);
            case Match.Unknown _ -> throw new NoSuchRoute();
            case Match.Malformed _ -> throw HttpFailure.invalid("the path is not percent-encoded UTF-8");
        };
    }

    private void answer(Exchange exchange) {
        switch (exchange.route()) {
            case PAGE -> page.show(exchange);
            case PAGE_FILE -> page.file(exchange);
            case OPENAPI -> exchange.answer("application/yaml", openApi());
            case INFO -> info(exchange);
            case INFO_MCP -> exchange.answer(200, backend.mcp().info());
            case RELOAD_MCP -> exchange.answer(200, backend.mcp().reload());
            case AUTH_CHECK -> check(exchange);
            case TOOLS -> tools(exchange);
            case MODELS -> openAi.models(exchange);
            case CHAT -> openAi.complete(exchange);
            case ROLES -> roles.list(exchange);
            case AGENTS -> agents.list(exchange);
            case SET_AGENT -> agents.set(exchange);
            case CLEAR_AGENT -> agents.clear(exchange);
            case SET_ROLE -> roles.set(exchange);
            case CLEAR_ROLE -> roles.clear(exchange);
            case RAGS -> rags.list(exchange);
            case REBUILD_RAG -> rags.rebuild(exchange);
            case SET_RAG -> rags.set(exchange);
            case CLEAR_RAG -> rags.clear(exchange);
            case SCHEDULES -> schedules.list(exchange);
            case RUN_SCHEDULE -> schedules.run(exchange);
            case SAY -> channels.say(exchange);
            case SEARCH -> reads.search(exchange);
            case COMPLETE -> run.completeOnce(exchange);
            case CREATE_SESSION -> writes.create(exchange);
            case LIST_SESSIONS -> reads.list(exchange);
            case GET_SESSION -> reads.show(exchange);
            case CHANGE_SESSION -> writes.change(exchange);
            case DELETE_SESSION -> writes.delete(exchange);
            case MESSAGES -> reads.messages(exchange);
            case LOOPS -> reads.loops(exchange);
            case TREE -> reads.tree(exchange);
            case USAGE -> reads.usage(exchange);
            case EXPORT -> reads.export(exchange);
            case EVENTS -> reads.events(exchange);
            case APPROVALS -> reads.approvals(exchange);
            case DECIDE -> run.decide(exchange);
            case SESSION_COMPLETE -> run.complete(exchange);
            case CONTINUE -> run.goOn(exchange);
            case REGENERATE -> run.regenerate(exchange);
            case PARALLEL -> run.parallel(exchange);
            case COMPRESS -> run.compress(exchange);
            case CANCEL -> run.cancel(exchange);
            case UNDO -> writes.undo(exchange);
            case FORK -> writes.fork(exchange);
            case EMPTY -> writes.empty(exchange);
        }
    }

    private void info(Exchange exchange) {
        exchange.answer(Exchange.object()
                .put("version", backend.version())
                .put("subject", exchange.caller().subject())
                .put(
                        "model",
                        backend.app()
                                .modelName(null, SessionSettings.NONE, Overrides.NONE)
                                .toString()));
    }

    /// Who asks, and what they may.
    private static void check(Exchange exchange) {
        var caller = exchange.caller();
        var answer = Exchange.object()
                .put("subject", caller.subject())
                .put("proof", caller.proof().kind().name().toLowerCase(Locale.ROOT));
        var scopes = answer.putArray("scopes");
        caller.grants().stream().map(Grant::wire).sorted().forEach(scopes::add);
        exchange.answer(answer);
    }

    /// Those of MCP servers as each named them last: a look at the list starts none.
    private void tools(Exchange exchange) {
        var answer = Exchange.object();
        var list = answer.putArray("tools");
        var silent = answer.putArray("unlisted_servers");
        backend.app().tools().forEach(tool -> add(list, tool));
        for (var server : backend.app().more().known()) {
            server.tools().forEach(tool -> add(list, tool).put("server", server.server()));
            if (!server.listed()) {
                silent.add(server.server());
            }
        }
        exchange.answer(answer);
    }

    private static ObjectNode add(ArrayNode list, Tool tool) {
        var spec = tool.spec();
        var entry = list.addObject().put("name", spec.name()).put("description", spec.description());
        entry.set("parameters", spec.parameters());
        return entry;
    }

    private static byte[] openApi() {
        try (var in = Dispatch.class.getResourceAsStream(OPENAPI)) {
            if (in == null) {
                throw new IllegalStateException("the program has no " + OPENAPI);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + OPENAPI, e);
        }
    }
}

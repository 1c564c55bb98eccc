package dev.skein.cli.acp;

import dev.skein.cancellation.Cancellation;
import dev.skein.cli.program.Ai;
import dev.skein.cli.program.Program;
import dev.skein.failure.SessionNotFound;
import dev.skein.failure.SkeinException;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.session.SessionSettings;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.tools.mcp.wire.WireJson;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// Answers the editor. Every session it opens works in the directory that the program was started in.
final class AcpAgent implements AcpPeer.Agent {

    private static final int VERSION = 1;
    private static final String DIRECTORY = "cwd";

    private final Program program;
    private final Ai ai;
    private final AcpPeer peer;
    private final Map<SessionId, Cancellation> running = new ConcurrentHashMap<>();

    AcpAgent(Program program, Ai ai, AcpPeer peer) {
        this.program = program;
        this.ai = ai;
        this.peer = peer;
    }

    @Override
    public AcpPeer.Work take(String method, JsonNode params) {
        AcpPeer.Work work = switch (method) {
            case "initialize" -> AcpAgent::greeting;
            case "authenticate" -> WireJson::object;
            case "session/new" -> () -> create(params);
            case "session/load" -> () -> load(params);
            case "session/list" -> () -> list(params);
            case "session/prompt" -> prompt(params);
            default ->
                () -> {
                    throw new AcpFailure(AcpFailure.METHOD_NOT_FOUND, "Method not found: " + method);
                };
        };
        return () -> answer(work);
    }

    private static ObjectNode answer(AcpPeer.Work work) throws InterruptedException {
        try {
            return work.answer();
        } catch (SessionNotFound e) {
            throw new AcpFailure(AcpFailure.NOT_FOUND, String.valueOf(e.getMessage()));
        } catch (SkeinException e) {
            throw new AcpFailure(AcpFailure.INTERNAL_ERROR, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void heard(String method, JsonNode params) {
        if (method.equals("session/cancel")) {
            var run = SessionId.parse(params.path("sessionId").asString("")).map(running::get);
            run.ifPresent(cancellation -> cancellation.cancel("the editor cancelled it"));
        }
    }

    @Override
    public void gone() {
        running.values().forEach(cancellation -> cancellation.cancel("the editor is gone"));
    }

    private static ObjectNode greeting() {
        var answer = WireJson.object().put("protocolVersion", VERSION);
        var version = AcpAgent.class.getPackage().getImplementationVersion();
        answer.putObject("agentInfo")
                .put("name", "skein")
                .put("title", "Skein")
                .put("version", Objects.requireNonNullElse(version, "development"));
        var able = answer.putObject("agentCapabilities").put("loadSession", true);
        able.putObject("promptCapabilities")
                .put("image", true)
                .put("audio", false)
                .put("embeddedContext", true);
        able.putObject("sessionCapabilities").putObject("list");
        answer.putArray("authMethods");
        return answer;
    }

    private ObjectNode create(JsonNode params) {
        requireHere(params);
        var here = StringNode.valueOf(here().toString());
        var fresh = NewSession.in(program.scope())
                .withMetadata(Map.of(DIRECTORY, here))
                .withEvents(List.of(new SessionEvent.SessionConfigured(program.now(), SessionSettings.NONE)));
        try (var session = program.store().create(fresh)) {
            return WireJson.object().put("sessionId", session.id().toString());
        }
    }

    private ObjectNode load(JsonNode params) {
        requireHere(params);
        try (var session = open(params)) {
            new AcpUpdates(peer, session.id()).replay(session.load());
            return WireJson.object();
        }
    }

    private ObjectNode list(JsonNode params) {
        var query = ListQuery.of(program.scope()).withLimit(50);
        var page = program.store().list(query.after(params.path("cursor").asString(null)));
        var answer = WireJson.object();
        var sessions = answer.putArray("sessions");
        for (var summary : page.sessions()) {
            if (summary.id() != null) {
                var title = summary.alias() != null ? summary.alias() : summary.firstMessage();
                sessions.addObject()
                        .put("sessionId", summary.id().toString())
                        .put("cwd", here().toString())
                        .put("title", title)
                        .put("updatedAt", summary.lastActivityAt().toString());
            }
        }
        answer.put("nextCursor", page.nextCursor());
        return answer;
    }

    /// It can be cancelled as soon as the editor said it, though its session is not open yet.
    private AcpPeer.Work prompt(JsonNode params) {
        var cancellation = new Cancellation();
        var named = SessionId.parse(params.path("sessionId").asString(""));
        var isAlone = named.isEmpty() || running.putIfAbsent(named.get(), cancellation) == null;
        return () -> {
            if (!isAlone) {
                throw new AcpFailure(AcpFailure.INVALID_REQUEST, "a prompt of this session is still being answered");
            }
            try (var session = open(params)) {
                var turn = new AcpTurn(ai, peer, session, cancellation);
                return WireJson.object().put("stopReason", turn.run(AcpPrompt.parts(params.path("prompt"))));
            } finally {
                named.ifPresent(id -> running.remove(id, cancellation));
            }
        };
    }

    private SessionHandle open(JsonNode params) {
        var text = params.path("sessionId").asString("");
        var id = SessionId.parse(text)
                .orElseThrow(() -> new AcpFailure(AcpFailure.INVALID_PARAMS, "'" + text + "' is no session id"));
        return program.store().open(program.scope(), id);
    }

    private static Path here() {
        return Path.of("").toAbsolutePath();
    }

    /// Tools work where the program was started, so it must not look as if they worked elsewhere.
    private static void requireHere(JsonNode params) {
        var wanted = params.path(DIRECTORY).asString("");
        try {
            if (!wanted.isEmpty() && !Path.of(wanted).normalize().equals(here())) {
                throw new AcpFailure(
                        AcpFailure.INVALID_PARAMS,
                        "this agent works in " + here() + ", not in " + wanted + "; start another one there");
            }
        } catch (InvalidPathException _) {
            throw new AcpFailure(AcpFailure.INVALID_PARAMS, "the directory is no path");
        }
    }
}

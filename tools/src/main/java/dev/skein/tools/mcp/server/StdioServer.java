package dev.skein.tools.mcp.server;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.Cancelled;
import dev.skein.tools.mcp.wire.BoundedLines;
import dev.skein.tools.mcp.wire.WireJson;
import dev.skein.tools.mcp.wire.WireLimits;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// One client, spoken to over two streams: one message a line, until the client closes its end.
///
/// Both lives of the protocol are spoken, and each request says by itself which it belongs to: those with a version in
/// their `_meta` to the one without a handshake. Calls run beside each other, so many and no more. A call that the
/// client
/// cancels gets no answer.
public final class StdioServer {

    private static final int CALLS_MAX = 16;
    private static final int PARSE_ERROR = -32700;
    private static final int INVALID_REQUEST = -32600;
    private static final int METHOD_NOT_FOUND = -32601;
    private static final int INVALID_PARAMS = -32602;
    private static final int INTERNAL_ERROR = -32603;
    private static final int BUSY = -32000;
    private static final int UNSUPPORTED_VERSION = -32022;

    private final ServerFacts facts;
    private final OutputStream out;
    private final Consumer<Throwable> mishaps;
    private final Map<JsonNode, Cancellation> running = new ConcurrentHashMap<>();
    private final AtomicBoolean greeted = new AtomicBoolean();

    /// @param mishaps hears of what should not happen
    public StdioServer(ServerFacts facts, OutputStream out, Consumer<Throwable> mishaps) {
        this.facts = facts;
        this.out = out;
        this.mishaps = mishaps;
    }

    /// Serves the client until it goes away. Then calls that still run are cancelled, and waited for so long.
    public void serve(InputStream in, Duration patience) throws InterruptedException {
        var threads = Executors.newVirtualThreadPerTaskExecutor();
        try {
            var lines = new BoundedLines(in, WireLimits.standard().messageBytes());
            for (var line = lines.next(); line != null; line = lines.next()) {
                heard(line, threads::execute);
            }
        } catch (BoundedLines.TooLong e) {
            refuse(JsonNodeFactory.instance.nullNode(), PARSE_ERROR, String.valueOf(e.getMessage()));
        } catch (IOException _) {
            // The client is gone, as if it had said so.
        } finally {
            running.values().forEach(call -> call.cancel("the client went away"));
            threads.shutdown();
            if (!threads.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                threads.shutdownNow();
            }
        }
    }

    private void heard(byte[] line, Consumer<Runnable> threads) {
        if (new String(line, java.nio.charset.StandardCharsets.ISO_8859_1).isBlank()) {
            return;
        }
        JsonNode message;
        try {
            message = WireJson.read(line);
        } catch (IllegalArgumentException e) {
            refuse(JsonNodeFactory.instance.nullNode(), PARSE_ERROR, String.valueOf(e.getMessage()));
            return;
        }
        if (message.isArray()) {
            message.forEach(one -> sort(one, threads));
        } else {
            sort(message, threads);
        }
    }

    private void sort(JsonNode message, Consumer<Runnable> threads) {
        var id = message.path("id");
        var method = message.path("method");
        if (!method.isString()) {
            if (!message.has("result") && !message.has("error")) {
                refuse(JsonNodeFactory.instance.nullNode(), INVALID_REQUEST, "it has no method");
            }
        } else if (id.isMissingNode()) {
            if (method.stringValue().equals("notifications/cancelled")) {
                cancelled(message.path("params"));
            }
        } else if (!id.isString() && !id.isIntegralNumber()) {
            refuse(JsonNodeFactory.instance.nullNode(), INVALID_REQUEST, "its id is neither a text nor a number");
        } else {
            answer(id, method.stringValue(), message.path("params"), threads);
        }
    }

    private void cancelled(JsonNode params) {
        var call = running.get(params.path("requestId"));
        if (call != null) {
            call.cancel("the client cancelled it");
        }
    }

    private void answer(JsonNode id, String method, JsonNode params, Consumer<Runnable> threads) {
        var version = params.path("_meta").path(ServerFacts.META_VERSION);
        if (!version.isMissingNode() && !version.asString("").equals(ServerFacts.STATELESS)) {
            var error = error(UNSUPPORTED_VERSION, "Unsupported protocol version");
            var data = ((ObjectNode) error.path("error")).putObject("data");
            data.put("requested", version.asString("")).putArray("supported").add(ServerFacts.STATELESS);
            send(id, error);
            return;
        }
        if (version.isMissingNode()) {
            answerInSession(id, method, params, threads);
        } else {
            answerStateless(id, method, params, threads);
        }
    }

    private void answerInSession(JsonNode id, String method, JsonNode params, Consumer<Runnable> threads) {
        if (method.startsWith("tools/") && !greeted.get()) {
            refuse(id, INVALID_REQUEST, "say initialize first, or the protocol's version in _meta");
            return;
        }
        switch (method) {
            case "initialize" -> {
                greeted.set(true);
                result(id, facts.greeting(params));
            }
            case "ping" -> result(id, WireJson.object());
            case "tools/list" -> result(id, facts.listing());
            case "tools/call" -> call(id, params, threads, UnaryOperator.identity());
            default -> refuse(id, METHOD_NOT_FOUND, "Method not found: " + method);
        }
    }

    private void answerStateless(JsonNode id, String method, JsonNode params, Consumer<Runnable> threads) {
        switch (method) {
            case "server/discover" -> result(id, ServerFacts.complete(method, facts.discovery()));
            case "tools/list" -> result(id, ServerFacts.complete(method, facts.listing()));
            case "tools/call" -> call(id, params, threads, result -> ServerFacts.complete(method, result));
            default -> refuse(id, METHOD_NOT_FOUND, "Method not found: " + method);
        }
    }

    private void call(JsonNode id, JsonNode params, Consumer<Runnable> threads, UnaryOperator<ObjectNode> finish) {
        var name = params.path("name").asString("");
        var tool = facts.tools().stream()
                .filter(candidate -> candidate.spec().name().equals(name))
                .findFirst()
                .orElse(null);
        var arguments = params.has("arguments") ? params.path("arguments") : WireJson.object();
        if (tool == null || !arguments.isObject()) {
            refuse(id, INVALID_PARAMS, tool == null ? "Unknown tool: " + name : "its arguments are not an object");
            return;
        }
        if (running.size() >= CALLS_MAX) {
            refuse(id, BUSY, "more than " + CALLS_MAX + " calls at once; wait for one of them");
            return;
        }
        var cancellation = new Cancellation();
        if (running.putIfAbsent(id, cancellation) != null) {
            refuse(id, INVALID_REQUEST, "a call with this id is still running");
            return;
        }
        var served = new ServedCall(tool, arguments, progress(params));
        threads.accept(() -> {
            try {
                var result = served.result(cancellation);
                running.remove(id);
                if (!cancellation.isCancelled()) {
                    result(id, finish.apply(result));
                }
            } catch (Cancelled | InterruptedException _) {
                // Nobody waits for it.
            } catch (RuntimeException e) {
                mishaps.accept(e);
                refuse(id, INTERNAL_ERROR, "Internal error");
            } finally {
                running.remove(id);
            }
        });
    }

    /// Tells the client how far a call is, if it wants to know.
    private ServedCall.@Nullable Progress progress(JsonNode params) {
        var token = params.path("_meta").path("progressToken");
        if (!token.isString() && !token.isIntegralNumber()) {
            return null;
        }
        return (step, words) -> {
            var note = WireJson.object().put("progress", step).put("message", words);
            note.set("progressToken", token);
            var message = WireJson.object().put("jsonrpc", "2.0").put("method", "notifications/progress");
            message.set("params", note);
            write(message);
        };
    }

    private void result(JsonNode id, ObjectNode result) {
        var body = WireJson.object();
        body.set("result", result);
        send(id, body);
    }

    private void refuse(JsonNode id, int code, String words) {
        send(id, error(code, words));
    }

    private static ObjectNode error(int code, String words) {
        var body = WireJson.object();
        body.putObject("error").put("code", code).put("message", words);
        return body;
    }

    private void send(JsonNode id, ObjectNode body) {
        body.put("jsonrpc", "2.0").set("id", id);
        write(body);
    }

    private synchronized void write(ObjectNode message) {
        try {
            out.write(WireJson.write(message));
            out.write('\n');
            out.flush();
        } catch (IOException _) {
            // Nobody listens any more; the end of what it says will be noticed.
        }
    }
}

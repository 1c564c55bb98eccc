package dev.skein.tools.mcp.wire;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.Cancelled;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One server at the other end of a [Transport], spoken to in JSON-RPC.
///
/// Every wait is bounded and can be cancelled, and the server is told when nobody waits any more. Answers to what was
/// never asked, or to what is not awaited any more, are passed over. Safe for use by many threads.
public final class Peer implements Transport.Receiver, AutoCloseable {

    private static final int SERVED_AT_ONCE = 8;
    private static final long FLOOD_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int ERROR_CHARS_MAX = 2_000;

    private final String server;
    private final Transport transport;
    private final WireLimits limits;
    private final Handler handler;
    private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicLong idleSince = new AtomicLong(System.nanoTime());
    private final AtomicInteger idleMessages = new AtomicInteger();
    private final AtomicLong idleBytes = new AtomicLong();
    private final Semaphore served = new Semaphore(SERVED_AT_ONCE);
    private final CompletableFuture<McpFailure> end = new CompletableFuture<>();

    /// What the server may want of us.
    public interface Handler {

        /// The answer to a request of the server; empty if there is no such method. `caller` are those who wait on the
        /// stream it came on, or the only one who waits at all.
        Optional<ObjectNode> serve(String method, JsonNode params, Optional<Caller> caller);

        /// A notification.
        void notified(String method, JsonNode params, Optional<Caller> caller);
    }

    /// Somebody who waits for an answer.
    public interface Caller {

        /// Hears how far it has come, or what the server has to say meanwhile.
        void told(String words);

        /// The answer to what the server wants to know of a person; empty if nobody can be asked.
        default Optional<ObjectNode> asked(String method, JsonNode params) {
            return Optional.empty();
        }
    }

    private record Waiting(
            CompletableFuture<JsonNode> answer, @Nullable Caller caller) {}

    public Peer(String server, Transport transport, WireLimits limits, Handler handler) {
        this.server = server;
        this.transport = transport;
        this.limits = limits;
        this.handler = handler;
    }

    public void start() {
        transport.start(this);
    }

    /// What is asked of the server.
    ///
    /// @param headers what goes beside it over HTTP
    /// @param caller who hears what comes before the answer; null for nobody
    public record Ask(
            String method,
            ObjectNode params,
            Map<String, String> headers,
            @Nullable Caller caller) {

        public static Ask of(String method, ObjectNode params) {
            return new Ask(method, params, Map.of(), null);
        }
    }

    /// Asks and waits for the answer.
    ///
    /// @throws McpFailure if there is none, or it is an error
    /// @throws Cancelled if that was asked for
    public JsonNode request(Ask ask, Duration timeout, Cancellation cancellation) throws InterruptedException {
        cancellation.check();
        var number = numbers.incrementAndGet();
        var answer = new CompletableFuture<JsonNode>();
        waiting.put(number, new Waiting(answer, ask.caller()));
        var message = message(ask.method(), withProgressToken(ask, number)).put("id", number);
        try (var _ = cancellation.onCancel(() ->
                answer.completeExceptionally(new Cancelled(cancellation.reason().orElse("cancelled"))))) {
            ended().ifPresent(answer::completeExceptionally);
            transport.send(new Transport.Outgoing(message, number, ask.headers()));
            return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            giveUp(number, ask.method(), "timeout");
            throw new McpFailure(
                    McpFailure.Kind.TIMEOUT,
                    "the MCP server '" + server + "' did not answer " + ask.method() + " within " + timeout.toSeconds()
                            + " s");
        } catch (InterruptedException e) {
            giveUp(number, ask.method(), "cancelled");
            throw e;
        } catch (ExecutionException e) {
            throw failure(number, ask.method(), e);
        } finally {
            waiting.remove(number);
        }
    }

    private static ObjectNode withProgressToken(Ask ask, long number) {
        if (ask.caller() != null) {
            ask.params().withObject("_meta").put("progressToken", number);
        }
        return ask.params();
    }

    private RuntimeException failure(long number, String method, ExecutionException e) {
        return switch (e.getCause()) {
            case McpFailure failure -> failure;
            case Cancelled cancelled -> {
                giveUp(number, method, "cancelled");
                yield cancelled;
            }
            case null, default -> new IllegalStateException("an answer could not be awaited", e);
        };
    }

    public void tell(String method, ObjectNode params) {
        transport.send(new Transport.Outgoing(message(method, params), null, Map.of()));
    }

    /// Says which version of the protocol both sides speak from now on.
    public void agreed(String version) {
        transport.agreed(version);
    }

    /// Why it ended; empty as long as it did not.
    public Optional<McpFailure> ended() {
        return Optional.ofNullable(end.getNow(null));
    }

    public String diagnosis() {
        return transport.diagnosis();
    }

    @Override
    public void close() {
        transport.close();
        ended(new McpFailure(McpFailure.Kind.ENDED, "the MCP server '" + server + "' was closed"));
    }

    @Override
    public void received(JsonNode message, int bytes, @Nullable Long stream) {
        if (isFlood(bytes)) {
            ended(new McpFailure(
                    McpFailure.Kind.TOO_MUCH, "the MCP server '" + server + "' floods us with what nobody asked for"));
            transport.close();
        } else if (message.isArray()) {
            message.forEach(one -> sort(one, stream));
        } else {
            sort(message, stream);
        }
    }

    /// Much in little time, and nothing of it an answer.
    private boolean isFlood(int bytes) {
        var now = System.nanoTime();
        var since = idleSince.get();
        if (now - since > FLOOD_NANOS && idleSince.compareAndSet(since, now)) {
            idleMessages.set(0);
            idleBytes.set(0);
        }
        return idleMessages.incrementAndGet() > limits.idleMessages()
                || idleBytes.addAndGet(bytes) > limits.idleBytes();
    }

    private void sort(JsonNode message, @Nullable Long stream) {
        var method = message.path("method");
        var id = message.path("id");
        if (method.isString()) {
            if (id.isMissingNode()) {
                notified(method.stringValue(), message.path("params"), stream);
            } else if (id.isString() || id.isIntegralNumber()) {
                serve(id, method.stringValue(), message.path("params"), stream);
            }
        } else if (id.isIntegralNumber() && id.canConvertToLong()) {
            answered(id.longValue(), message);
        }
    }

    private void answered(long number, JsonNode message) {
        var asked = waiting.remove(number);
        if (asked == null) {
            return;
        }
        idleMessages.set(0);
        idleBytes.set(0);
        var error = message.path("error");
        if (error.isObject()) {
            asked.answer().completeExceptionally(errorOf(server, error));
        } else if (message.path("result").isObject()) {
            asked.answer().complete(message.path("result"));
        } else {
            asked.answer()
                    .completeExceptionally(new McpFailure(
                            McpFailure.Kind.PROTOCOL,
                            "the MCP server '" + server + "' answered with neither a result nor an error"));
        }
    }

    static McpFailure errorOf(String server, JsonNode error) {
        var words = error.path("message").asString("no reason given");
        return McpFailure.answered(
                "the MCP server '" + server + "' answered: " + VisibleText.cut(words, ERROR_CHARS_MAX),
                error.path("code").asInt(0));
    }

    private void notified(String method, JsonNode params, @Nullable Long stream) {
        var caller = switch (method) {
            case "notifications/progress" -> caller(params.path("progressToken").asLong(0));
            default -> caller(stream);
        };
        try {
            handler.notified(method, params, caller);
        } catch (RuntimeException _) {
            // Whoever listens does not keep the server from being heard.
        }
    }

    private void serve(JsonNode id, String method, JsonNode params, @Nullable Long stream) {
        if (!served.tryAcquire()) {
            reply(id, error(-32000, "too many requests at once"));
            return;
        }
        var caller = caller(stream);
        Thread.ofVirtual().name("mcp " + server + " " + method).start(() -> {
            try {
                reply(
                        id,
                        handler.serve(method, params, caller)
                                .map(result -> WireJson.object().set("result", result))
                                .orElseGet(() -> error(-32601, "Method not found: " + method)));
            } catch (RuntimeException e) {
                reply(id, error(-32603, "Internal error"));
            } finally {
                served.release();
            }
        });
    }

    /// Who waits on a stream. Where all share one, only a caller who is alone can be meant.
    private Optional<Caller> caller(@Nullable Long stream) {
        if (stream != null) {
            return Optional.ofNullable(waiting.get(stream)).map(Waiting::caller);
        }
        var all = waiting.values().iterator();
        var first = all.hasNext() ? all.next() : null;
        return first == null || all.hasNext() ? Optional.empty() : Optional.ofNullable(first.caller());
    }

    private static ObjectNode error(int code, String message) {
        var body = WireJson.object();
        body.putObject("error").put("code", code).put("message", message);
        return body;
    }

    private void reply(JsonNode id, ObjectNode body) {
        body.put("jsonrpc", "2.0").set("id", id);
        try {
            transport.send(new Transport.Outgoing(body, null, Map.of()));
        } catch (McpFailure _) {
            // It has ended, or does not read: those who wait for it learn that.
        }
    }

    @Override
    public void failed(long request, McpFailure why) {
        var asked = waiting.remove(request);
        if (asked != null) {
            asked.answer().completeExceptionally(why);
        }
    }

    @Override
    public void ended(McpFailure why) {
        end.complete(why);
        var first = end.getNow(why);
        waiting.values().forEach(asked -> asked.answer().completeExceptionally(first));
    }

    /// The server may not know `initialize` well enough to be told that nobody waits for it.
    private void giveUp(long number, String method, String reason) {
        waiting.remove(number);
        transport.forget(number);
        if (!method.equals("initialize")) {
            try {
                tell(
                        "notifications/cancelled",
                        WireJson.object().put("requestId", number).put("reason", reason));
            } catch (McpFailure _) {
                // There is nobody to tell.
            }
        }
    }

    private static ObjectNode message(String method, ObjectNode params) {
        var message = WireJson.object().put("jsonrpc", "2.0").put("method", method);
        if (!params.isEmpty()) {
            message.set("params", params);
        }
        return message;
    }
}

package dev.skein.cli.acp;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.Cancelled;
import dev.skein.tools.mcp.wire.BoundedLines;
import dev.skein.tools.mcp.wire.WireJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// JSON-RPC with the editor: one message a line, requests both ways. Requests of the editor run beside each other; what
/// it only mentions is heard in the order it was said. Safe for use by many threads.
final class AcpPeer {

    private static final int LINE_MAX = 64 * 1024 * 1024;
    private static final JsonNode NOBODY = JsonNodeFactory.instance.nullNode();

    private final OutputStream out;
    private final Consumer<Throwable> mishaps;
    private final AtomicLong asked = new AtomicLong();
    private final Map<Long, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();

    /// @param mishaps hears of what should not happen
    AcpPeer(OutputStream out, Consumer<Throwable> mishaps) {
        this.out = out;
        this.mishaps = mishaps;
    }

    /// Who answers the editor.
    interface Agent {
        /// Takes a request. Called in the order in which the editor speaks, so it must not take long.
        Work take(String method, JsonNode params);

        /// The editor mentions something.
        void heard(String method, JsonNode params);

        /// The editor is gone.
        void gone();
    }

    /// What is done for a request, beside others.
    interface Work {
        /// What the editor gets for it.
        ///
        /// @throws AcpFailure if the answer is an error
        ObjectNode answer() throws InterruptedException;
    }

    /// Until the editor goes away. What still runs then is waited for so long.
    void serve(InputStream in, Agent agent, Duration patience) throws InterruptedException {
        var threads = Executors.newVirtualThreadPerTaskExecutor();
        try {
            var lines = new BoundedLines(in, LINE_MAX);
            for (var line = lines.next(); line != null; line = lines.next()) {
                sort(line, agent, threads);
            }
        } catch (BoundedLines.TooLong e) {
            refuse(NOBODY, AcpFailure.PARSE_ERROR, String.valueOf(e.getMessage()));
        } catch (IOException _) {
            // The editor is gone, as if it had said so.
        } finally {
            agent.gone();
            waiting.values().forEach(answer -> answer.completeExceptionally(new Cancelled("the editor is gone")));
            threads.shutdown();
            if (!threads.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                threads.shutdownNow();
            }
        }
    }

    /// Tells the editor something.
    void mention(String method, ObjectNode params) {
        var message = WireJson.object().put("method", method);
        message.set("params", params);
        write(message);
    }

    /// Asks the editor, and waits for what it says.
    ///
    /// @throws Cancelled if the run was cancelled meanwhile
    JsonNode ask(String method, ObjectNode params, Cancellation cancellation) throws InterruptedException {
        var answer = new CompletableFuture<JsonNode>();
        var id = asked.incrementAndGet();
        waiting.put(id, answer);
        var message = WireJson.object().put("id", id).put("method", method);
        message.set("params", params);
        try (var _ = cancellation.onCancel(() ->
                answer.completeExceptionally(new Cancelled(cancellation.reason().orElse("cancelled"))))) {
            write(message);
            return answer.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e);
        } finally {
            waiting.remove(id);
        }
    }

    private void sort(byte[] line, Agent agent, ExecutorService threads) {
        JsonNode message;
        try {
            message = WireJson.read(line);
        } catch (IllegalArgumentException e) {
            refuse(NOBODY, AcpFailure.PARSE_ERROR, String.valueOf(e.getMessage()));
            return;
        }
        var id = message.path("id");
        var method = message.path("method");
        if (method.isString() && !message.has("id")) {
            agent.heard(method.stringValue(), message.path("params"));
        } else if (method.isString() && (id.isString() || id.isIntegralNumber())) {
            var work = agent.take(method.stringValue(), message.path("params"));
            threads.execute(() -> answer(id, work));
        } else if (message.has("result") || message.has("error")) {
            answered(id, message);
        } else {
            refuse(NOBODY, AcpFailure.INVALID_REQUEST, "neither a request nor an answer");
        }
    }

    private void answered(JsonNode id, JsonNode message) {
        var answer = waiting.get(id.asLong(-1));
        if (answer != null && message.has("error")) {
            var words = message.path("error").path("message").asString("no reason given");
            answer.completeExceptionally(new AcpFailure(AcpFailure.INTERNAL_ERROR, "the editor refused: " + words));
        } else if (answer != null) {
            answer.complete(message.path("result"));
        }
    }

    private void answer(JsonNode id, Work work) {
        try {
            var answer = WireJson.object();
            answer.set("id", id);
            answer.set("result", work.answer());
            write(answer);
        } catch (AcpFailure e) {
            refuse(id, e.code(), String.valueOf(e.getMessage()));
        } catch (InterruptedException _) {
            refuse(id, AcpFailure.INTERNAL_ERROR, "interrupted");
        } catch (RuntimeException e) {
            mishaps.accept(e);
            refuse(id, AcpFailure.INTERNAL_ERROR, "Internal error");
        }
    }

    private void refuse(JsonNode id, int code, @Nullable String words) {
        var answer = WireJson.object();
        answer.set("id", id);
        answer.putObject("error").put("code", code).put("message", words);
        write(answer);
    }

    private synchronized void write(ObjectNode message) {
        try {
            out.write(WireJson.write(message.put("jsonrpc", "2.0")));
            out.write('\n');
            out.flush();
        } catch (IOException _) {
            // Nobody listens any more; the end of what it says will be noticed.
        }
    }
}

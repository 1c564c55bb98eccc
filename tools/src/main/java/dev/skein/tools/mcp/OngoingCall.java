package dev.skein.tools.mcp;

import dev.skein.cancellation.Cancellation;
import dev.skein.tools.mcp.client.McpClient;
import dev.skein.tools.mcp.client.McpToolInfo;
import dev.skein.tools.mcp.pool.McpLease;
import dev.skein.tools.mcp.wire.Peer;
import dev.skein.tools.mcp.wire.WireJson;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A call that may stop in the middle because its server wants to know something, and goes on when it does. It runs in
/// a
/// thread of its own, so that whoever began it need not wait for a person. One caller at a time.
final class OngoingCall {

    private final Cancellation cancellation = new Cancellation();
    private final LinkedBlockingQueue<Step> steps = new LinkedBlockingQueue<>();
    private volatile Consumer<String> progress = _ -> {};
    private volatile boolean ended;
    private int answered;

    /// How far it came.
    sealed interface Step {
        record Done(JsonNode result) implements Step {}

        record Broke(RuntimeException why) implements Step {}

        /// The server asks, and waits for the answer.
        record Asks(String method, JsonNode params, CompletableFuture<ObjectNode> answer) implements Step {}
    }

    /// Begins. Takes the lease over.
    static OngoingCall begin(McpLease lease, McpToolInfo tool, JsonNode arguments) {
        var call = new OngoingCall();
        Thread.ofVirtual().name("mcp call " + tool.name()).start(() -> call.run(lease, tool, arguments));
        return call;
    }

    private void run(McpLease lease, McpToolInfo tool, JsonNode arguments) {
        var last = last(lease, tool, arguments);
        ended = true;
        steps.add(last);
    }

    private Step last(McpLease lease, McpToolInfo tool, JsonNode arguments) {
        try (lease) {
            return new Step.Done(call(lease.client(), tool, arguments));
        } catch (RuntimeException e) {
            return new Step.Broke(e);
        } catch (InterruptedException e) {
            return new Step.Broke(new IllegalStateException("the call was interrupted", e));
        }
    }

    private JsonNode call(McpClient client, McpToolInfo tool, JsonNode arguments) throws InterruptedException {
        return client.call(
                tool,
                arguments,
                new Peer.Caller() {
                    @Override
                    public void told(String words) {
                        progress.accept(words);
                    }

                    @Override
                    public Optional<ObjectNode> asked(String method, JsonNode params) {
                        return Optional.of(ask(method, params));
                    }
                },
                cancellation);
    }

    /// Ends when there is an answer, or the call is over: then nobody is left to answer.
    private ObjectNode ask(String method, JsonNode params) {
        var answer = new CompletableFuture<ObjectNode>();
        steps.add(new Step.Asks(method, params, answer));
        try (var _ = cancellation.onCancel(() -> answer.complete(declined()))) {
            return answer.join();
        }
    }

    static ObjectNode declined() {
        return WireJson.object().put("action", "decline");
    }

    /// Waits for the next step. If the caller's end is asked for, so is that of the call.
    Step next(Consumer<String> hears, Cancellation wanted) throws InterruptedException {
        progress = hears;
        try (var _ = wanted.onCancel(() -> cancellation.cancel("cancelled"))) {
            return steps.take();
        } catch (InterruptedException e) {
            cancellation.cancel("interrupted");
            throw e;
        } finally {
            progress = _ -> {};
        }
    }

    /// How many answers were used up.
    int answered() {
        return answered;
    }

    void answer(Step.Asks question, ObjectNode answer) {
        answered++;
        question.answer().complete(answer);
    }

    /// That was no answer to the question: it comes again.
    void misfit(Step.Asks question) {
        answered++;
        repeat(question);
    }

    /// The question comes again as the next step, for whoever takes the call up.
    void repeat(Step.Asks question) {
        steps.add(question);
    }

    boolean isOver() {
        return ended;
    }

    void cancel() {
        cancellation.cancel("nobody waits for it any more");
    }
}

package dev.skein.server.openai;

import dev.skein.live.LiveEvent;
import dev.skein.live.RunOutcome;
import dev.skein.message.Part;
import dev.skein.message.Usage;
import dev.skein.model.ModelReply.StopReason;
import dev.skein.server.http.Problem;
import dev.skein.server.stream.Telling;
import dev.skein.session.LoopStatus;
import dev.skein.wire.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// What a client hears: one object, or chunks of it. One for each request, used by one thread.
final class ChatAnswer implements Telling {

    private static final byte[] NOTHING = {};

    private final String id;
    private final String model;
    private final long created;
    private final boolean tellsUsage;
    private final Set<String> clientTools;
    private final boolean shaped;
    private final List<Part.ToolCall> calls = new ArrayList<>();
    private boolean begun;
    private boolean between;

    /// @param clientTools the names of the tools that the client runs; calls of others are none of its business
    /// @param shaped whether the client takes what it hears for JSON, so that it must hear nothing else
    ChatAnswer(String id, String model, long created, boolean tellsUsage, Set<String> clientTools, boolean shaped) {
        this.id = "chatcmpl-" + id;
        this.model = model;
        this.created = created;
        this.tellsUsage = tellsUsage;
        this.clientTools = Set.copyOf(clientTools);
        this.shaped = shaped;
    }

    /// Notes what the client has to do.
    void hear(LiveEvent event) {
        if (event.body() instanceof LiveEvent.ApprovalRequired asked
                && clientTools.contains(asked.call().name())) {
            calls.add(asked.call());
        }
    }

    /// The whole answer.
    ObjectNode whole(RunOutcome outcome) {
        var answer = head("chat.completion");
        var choice = answer.putArray("choices").addObject().put("index", 0);
        var message = choice.putObject("message").put("role", "assistant");
        message.put("content", content(outcome));
        if (outcome.status() == LoopStatus.REJECTED) {
            message.put("refusal", outcome.reason());
        }
        if (!calls.isEmpty()) {
            var list = message.putArray("tool_calls");
            calls.forEach(call -> call(list.addObject(), call));
        }
        choice.put("finish_reason", reason(outcome));
        answer.set("usage", usage(outcome.usage()));
        answer.putObject("skein")
                .put("session_id", outcome.session().toString())
                .put("loop_id", outcome.loop().text())
                .put("status", outcome.status().toString());
        return answer;
    }

    /// The value, without what a model may say around it.
    private static String content(RunOutcome outcome) {
        return outcome.output() == null ? outcome.text() : outcome.output().toString();
    }

    @Override
    public byte[] of(LiveEvent event) {
        return switch (event.body()) {
            case LiveEvent.AssistantDelta _ when shaped -> NOTHING;
            case LiveEvent.AssistantDelta(var text) -> {
                var words = between ? "\n\n" + text : text;
                between = false;
                yield chunk(delta -> delta.put("content", words));
            }
            case LiveEvent.AssistantMessageEnd _ -> {
                between = true;
                yield NOTHING;
            }
            case LiveEvent.ApprovalRequired asked
            when clientTools.contains(asked.call().name()) -> {
                var call = asked.call();
                var index = calls.size();
                calls.add(call);
                yield chunk(
                        delta -> call(delta.putArray("tool_calls").addObject().put("index", index), call));
            }
            case LiveEvent.Failed(var code, var message) -> error(code, message);
            case LiveEvent.Finished(var outcome) ->
                outcome.output() == null || !shaped
                        ? last(outcome)
                        : join(chunk(delta -> delta.put("content", content(outcome))), last(outcome));
            default -> NOTHING;
        };
    }

    @Override
    public byte[] failure(Problem problem, String requestId) {
        return error(problem.code(), problem.message());
    }

    @Override
    public byte[] end() {
        return Telling.data("[DONE]");
    }

    private interface Filling {
        void fill(ObjectNode delta);
    }

    private byte[] chunk(Filling filling) {
        var chunk = head("chat.completion.chunk");
        var choice = chunk.putArray("choices").addObject().put("index", 0);
        var delta = choice.putObject("delta");
        if (!begun) {
            begun = true;
            delta.put("role", "assistant");
        }
        filling.fill(delta);
        choice.putNull("finish_reason");
        return bytes(chunk);
    }

    private byte[] last(RunOutcome outcome) {
        var chunk = head("chat.completion.chunk");
        var choice = chunk.putArray("choices").addObject().put("index", 0);
        choice.putObject("delta");
        choice.put("finish_reason", reason(outcome));
        if (!tellsUsage) {
            return bytes(chunk);
        }
        var usage = head("chat.completion.chunk");
        usage.putArray("choices");
        usage.set("usage", usage(outcome.usage()));
        return join(bytes(chunk), bytes(usage));
    }

    private static byte[] error(String code, String message) {
        var error = JsonNodeFactory.instance.objectNode();
        error.putObject("error")
                .put("message", message)
                .put("type", "server_error")
                .put("code", code);
        return bytes(error);
    }

    /// A run that rests because somebody has to act is complete for the client, which is told what to do.
    private String reason(RunOutcome outcome) {
        var answer = outcome.answer();
        var stopped =
                answer == null || answer.reply() == null ? null : answer.reply().stopReason();
        return switch (outcome.status()) {
            case WAITING -> calls.isEmpty() ? "stop" : "tool_calls";
            case REJECTED -> "content_filter";
            case ABORTED -> "length";
            case COMPLETED, PENDING, RUNNING -> StopReason.LENGTH.toString().equals(stopped) ? "length" : "stop";
        };
    }

    private ObjectNode head(String object) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", id)
                .put("object", object)
                .put("created", created)
                .put("model", model);
    }

    private static void call(ObjectNode node, Part.ToolCall call) {
        node.put("id", call.id().text()).put("type", "function");
        node.putObject("function")
                .put("name", call.name())
                .put("arguments", call.arguments().toString());
    }

    private static ObjectNode usage(Usage usage) {
        var node = JsonNodeFactory.instance
                .objectNode()
                .put("prompt_tokens", usage.inputTokens())
                .put("completion_tokens", usage.outputTokens())
                .put("total_tokens", usage.totalTokens());
        node.putObject("prompt_tokens_details").put("cached_tokens", usage.cachedTokens());
        node.putObject("completion_tokens_details").put("reasoning_tokens", usage.reasoningTokens());
        return node;
    }

    private static byte[] bytes(ObjectNode chunk) {
        return Telling.data(Json.MAPPER.writeValueAsString(chunk));
    }

    private static byte[] join(byte[] one, byte[] other) {
        var both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    /// The models that can be named, and the roles, each of which is one for the client.
    static ObjectNode models(List<String> names, long created) {
        var list = JsonNodeFactory.instance.objectNode().put("object", "list");
        ArrayNode data = list.putArray("data");
        for (var name : names) {
            data.addObject()
                    .put("id", name)
                    .put("object", "model")
                    .put("created", created)
                    .put("owned_by", name.substring(0, name.indexOf(':')));
        }
        return list;
    }
}

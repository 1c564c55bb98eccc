package dev.skein.testkit.provider;

import dev.skein.message.Usage;
import dev.skein.model.ModelReply.StopReason;
import dev.skein.testkit.provider.Answer.Step;
import dev.skein.wire.Json;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// OpenAI's chat completions: nameless events with deltas, usage in the last, then `[DONE]`.
public final class OpenAiWire implements Wire {

    private int calls;

    @Override
    public Set<Feature> features() {
        return EnumSet.of(
                Feature.THINKING,
                Feature.CACHE_READS,
                Feature.REASONING_TOKENS,
                Feature.FILTERING,
                Feature.ERROR_KINDS,
                Feature.IMAGE_ADDRESSES,
                Feature.ARGUMENT_TEXT);
    }

    @Override
    public String path() {
        return "/chat/completions";
    }

    @Override
    public Map.Entry<String, String> authorization(String key) {
        return Map.entry("Authorization", "Bearer " + key);
    }

    @Override
    public Wire fresh() {
        return new OpenAiWire();
    }

    @Override
    public String begin(Usage usage) {
        return delta(delta -> delta.put("role", "assistant").put("content", ""));
    }

    @Override
    public @Nullable String speak(Step step) {
        return switch (step) {
            case Step.Say(var text) -> delta(delta -> delta.put("content", text));
            case Step.Think thought -> delta(delta -> delta.put("reasoning_content", thought.text()));
            case Step.Call call -> call(call);
            case Step.Fail(var isTransient) -> error(isTransient);
            case Step.NewBlock _, Step.ThinkSecretly _ -> "";
            case Step.WaitAt _, Step.Raw _, Step.Cut _, Step.EndEarly _, Step.UntilHangUp _ -> null;
        };
    }

    @Override
    public String end(StopReason stop, Usage usage) {
        var finish = chunk();
        finish.putArray("choices")
                .addObject()
                .put("index", 0)
                .put("finish_reason", nameOf(stop))
                .putObject("delta");
        var totals = chunk();
        totals.putArray("choices");
        var counts = totals.putObject("usage")
                .put("prompt_tokens", usage.inputTokens())
                .put("completion_tokens", usage.outputTokens())
                .put("total_tokens", usage.totalTokens());
        counts.putObject("prompt_tokens_details").put("cached_tokens", usage.cachedTokens());
        counts.putObject("completion_tokens_details").put("reasoning_tokens", usage.reasoningTokens());
        return event(finish.toString()) + event(totals.toString()) + "data: [DONE]\n\n";
    }

    private static String nameOf(StopReason stop) {
        return switch (stop) {
            case STOP -> "stop";
            case LENGTH -> "length";
            case TOOL_USE -> "tool_calls";
            case FILTERED -> "content_filter";
        };
    }

    private String call(Step.Call call) {
        var index = calls++;
        var middle = call.arguments().length() / 2;
        return toolDelta(
                        index,
                        tool -> tool.put("id", call.id())
                                .put("type", "function")
                                .putObject("function")
                                .put("name", call.name())
                                .put("arguments", ""))
                + arguments(index, call.arguments().substring(0, middle))
                + arguments(index, call.arguments().substring(middle));
    }

    private String arguments(int index, String json) {
        return toolDelta(index, tool -> tool.putObject("function").put("arguments", json));
    }

    private String toolDelta(int index, Consumer<ObjectNode> what) {
        return delta(
                delta -> what.accept(delta.putArray("tool_calls").addObject().put("index", index)));
    }

    private String error(boolean isTransient) {
        var error = Json.MAPPER.createObjectNode();
        error.putObject("error")
                .put("message", "something happened")
                .put("type", isTransient ? "server_error" : "invalid_request_error");
        return event(error.toString());
    }

    private String delta(Consumer<ObjectNode> what) {
        var chunk = chunk();
        var choice = chunk.putArray("choices").addObject().put("index", 0);
        what.accept(choice.putObject("delta"));
        choice.putNull("finish_reason");
        return event(chunk.toString());
    }

    private static ObjectNode chunk() {
        return Json.MAPPER
                .createObjectNode()
                .put("id", "chatcmpl-1")
                .put("object", "chat.completion.chunk")
                .put("created", 1_700_000_000)
                .put("model", "test");
    }

    @Override
    public @Nullable String systemOf(JsonNode request) {
        return messages(request, "system")
                .map(message -> message.path("content").asString())
                .findFirst()
                .orElse(null);
    }

    @Override
    public List<String> promptsOf(JsonNode request) {
        return messages(request, "user")
                .flatMap(message -> message.path("content").isString()
                        ? Stream.of(message.path("content").asString())
                        : message.path("content")
                                .valueStream()
                                .filter(part -> part.path("type").asString().equals("text"))
                                .map(part -> part.path("text").asString()))
                .toList();
    }

    @Override
    public List<String> imagesOf(JsonNode request) {
        return messages(request, "user")
                .flatMap(message -> message.path("content").valueStream())
                .filter(part -> part.path("type").asString().equals("image_url"))
                .map(part -> part.path("image_url").path("url").asString())
                .toList();
    }

    @Override
    public Map<String, String> toolResultsOf(JsonNode request) {
        var results = new LinkedHashMap<String, String>();
        messages(request, "tool")
                .forEach(message -> results.put(
                        message.path("tool_call_id").asString(),
                        message.path("content").asString()));
        return results;
    }

    @Override
    public Map<String, JsonNode> toolCallsOf(JsonNode request) {
        var found = new LinkedHashMap<String, JsonNode>();
        messages(request, "assistant")
                .flatMap(message -> message.path("tool_calls").valueStream())
                .forEach(call -> found.put(
                        call.path("id").asString(),
                        Json.MAPPER.readTree(
                                call.path("function").path("arguments").asString())));
        return found;
    }

    @Override
    public Map<String, JsonNode> toolsOf(JsonNode request) {
        return functionsOf(request);
    }

    static Map<String, JsonNode> functionsOf(JsonNode request) {
        var tools = new LinkedHashMap<String, JsonNode>();
        request.path("tools").forEach(tool -> {
            var function = tool.path("function");
            tools.put(function.path("name").asString(), function.path("parameters"));
        });
        return tools;
    }

    @Override
    public Map<String, String> thoughtsOf(JsonNode request) {
        return Map.of();
    }

    static Stream<JsonNode> messages(JsonNode request, String role) {
        return request.path("messages")
                .valueStream()
                .filter(message -> message.path("role").asString().equals(role));
    }
}

package dev.skein.testkit.provider;

import dev.skein.message.Usage;
import dev.skein.model.ModelReply.StopReason;
import dev.skein.testkit.provider.Answer.Step;
import dev.skein.wire.Json;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Mistral's chat completions: as OpenAI's, but thoughts come in a list inside the content, whole calls in one event,
/// and the usage beside the reason to finish.
public final class MistralWire implements Wire {

    private final OpenAiWire alike = new OpenAiWire();
    private int calls;

    @Override
    public Set<Feature> features() {
        return EnumSet.of(
                Feature.THINKING,
                Feature.CACHE_READS,
                Feature.FILTERING,
                Feature.ERROR_KINDS,
                Feature.IMAGE_ADDRESSES,
                Feature.ARGUMENT_TEXT);
    }

    @Override
    public String path() {
        return alike.path();
    }

    @Override
    public Map.Entry<String, String> authorization(String key) {
        return alike.authorization(key);
    }

    @Override
    public Wire fresh() {
        return new MistralWire();
    }

    @Override
    public String begin(Usage usage) {
        return delta(delta -> delta.put("role", "assistant").put("content", ""));
    }

    @Override
    public @Nullable String speak(Step step) {
        return switch (step) {
            case Step.Say(var text) -> delta(delta -> delta.put("content", text));
            case Step.Think thought -> think(thought.text());
            case Step.Call call -> call(call);
            case Step.Fail(var isTransient) -> error(isTransient);
            case Step.NewBlock _, Step.ThinkSecretly _ -> "";
            case Step.WaitAt _, Step.Raw _, Step.Cut _, Step.EndEarly _, Step.UntilHangUp _ -> null;
        };
    }

    private String think(String thought) {
        return delta(delta -> delta.putArray("content")
                .addObject()
                .put("type", "thinking")
                .putArray("thinking")
                .addObject()
                .put("type", "text")
                .put("text", thought));
    }

    private String call(Step.Call call) {
        var index = calls++;
        return delta(delta -> delta.put("content", "")
                .putArray("tool_calls")
                .addObject()
                .put("id", call.id())
                .put("index", index)
                .putObject("function")
                .put("name", call.name())
                .put("arguments", call.arguments()));
    }

    private String error(boolean isTransient) {
        return event(Json.MAPPER
                .createObjectNode()
                .put("object", "error")
                .put("message", "something happened")
                .put("type", isTransient ? "service_unavailable" : "invalid_request_error")
                .toString());
    }

    @Override
    public String end(StopReason stop, Usage usage) {
        var last = chunk();
        last.putArray("choices")
                .addObject()
                .put("index", 0)
                .put("finish_reason", nameOf(stop))
                .putObject("delta")
                .put("content", "");
        last.putObject("usage")
                .put("prompt_tokens", usage.inputTokens())
                .put("completion_tokens", usage.outputTokens())
                .put("total_tokens", usage.totalTokens())
                .putObject("prompt_tokens_details")
                .put("cached_tokens", usage.cachedTokens());
        return event(last.toString()) + event("[DONE]");
    }

    private static String nameOf(StopReason stop) {
        return switch (stop) {
            case STOP -> "stop";
            case LENGTH -> "length";
            case TOOL_USE -> "tool_calls";
            case FILTERED -> "content_filter";
        };
    }

    private String delta(Consumer<ObjectNode> what) {
        var chunk = chunk();
        var choice = chunk.putArray("choices").addObject().put("index", 0);
        what.accept(choice.putObject("delta"));
        choice.putNull("finish_reason");
        return event(chunk.toString());
    }

    private static ObjectNode chunk() {
        return Json.MAPPER.createObjectNode().put("id", "cmpl-1").put("model", "test");
    }

    @Override
    public @Nullable String systemOf(JsonNode request) {
        return alike.systemOf(request);
    }

    @Override
    public List<String> promptsOf(JsonNode request) {
        return alike.promptsOf(request);
    }

    @Override
    public List<String> imagesOf(JsonNode request) {
        return OpenAiWire.messages(request, "user")
                .flatMap(message -> message.path("content").valueStream())
                .filter(part -> part.has("image_url"))
                .map(part -> part.path("image_url").asString())
                .toList();
    }

    @Override
    public Map<String, String> toolResultsOf(JsonNode request) {
        return alike.toolResultsOf(request);
    }

    @Override
    public Map<String, JsonNode> toolCallsOf(JsonNode request) {
        return alike.toolCallsOf(request);
    }

    @Override
    public Map<String, JsonNode> toolsOf(JsonNode request) {
        return alike.toolsOf(request);
    }

    @Override
    public Map<String, String> thoughtsOf(JsonNode request) {
        return Map.of();
    }
}

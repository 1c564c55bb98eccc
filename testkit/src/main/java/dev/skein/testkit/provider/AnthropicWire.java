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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Anthropic's messages: named events, content in blocks that begin and end.
public final class AnthropicWire implements Wire {

    private int index = -1;
    private boolean inText;

    @Override
    public Set<Feature> features() {
        return EnumSet.of(
                Feature.THINKING,
                Feature.SIGNATURES,
                Feature.HIDDEN_THINKING,
                Feature.BLOCKS,
                Feature.CACHE_READS,
                Feature.CACHE_WRITES,
                Feature.FILTERING,
                Feature.ERROR_KINDS,
                Feature.IMAGE_ADDRESSES,
                Feature.ARGUMENT_TEXT);
    }

    @Override
    public String path() {
        return "/messages";
    }

    @Override
    public Map.Entry<String, String> authorization(String key) {
        return Map.entry("x-api-key", key);
    }

    @Override
    public Wire fresh() {
        return new AnthropicWire();
    }

    @Override
    public String begin(Usage usage) {
        var start = typed("message_start");
        start.putObject("message")
                .put("id", "msg_1")
                .put("type", "message")
                .put("role", "assistant")
                .put("model", "test")
                .set(
                        "usage",
                        Json.MAPPER
                                .createObjectNode()
                                .put(
                                        "input_tokens",
                                        usage.inputTokens() - usage.cachedTokens() - usage.cacheWriteTokens())
                                .put("cache_read_input_tokens", usage.cachedTokens())
                                .put("cache_creation_input_tokens", usage.cacheWriteTokens())
                                .put("output_tokens", 1));
        return text(start) + text(typed("ping"));
    }

    @Override
    public @Nullable String speak(Step step) {
        return switch (step) {
            case Step.Say(var words) -> say(words);
            case Step.NewBlock _ -> endText();
            case Step.Think(var thought, var signature) -> think(thought, signature);
            case Step.ThinkSecretly(var redacted) -> {
                var block = Json.MAPPER
                        .createObjectNode()
                        .put("type", "redacted_thinking")
                        .put("data", redacted);
                yield endText() + start(block) + stop();
            }
            case Step.Call call -> call(call);
            case Step.Fail(var isTransient) -> error(isTransient);
            case Step.WaitAt _, Step.Raw _, Step.Cut _, Step.EndEarly _, Step.UntilHangUp _ -> null;
        };
    }

    @Override
    public String end(StopReason stop, Usage usage) {
        var ending = endText();
        var delta = typed("message_delta");
        delta.putObject("delta").put("stop_reason", nameOf(stop)).putNull("stop_sequence");
        delta.putObject("usage").put("output_tokens", usage.outputTokens());
        return ending + text(delta) + text(typed("message_stop"));
    }

    private static String nameOf(StopReason stop) {
        return switch (stop) {
            case STOP -> "end_turn";
            case LENGTH -> "max_tokens";
            case TOOL_USE -> "tool_use";
            case FILTERED -> "refusal";
        };
    }

    private String say(String words) {
        var opening = "";
        if (!inText) {
            opening = start(Json.MAPPER.createObjectNode().put("type", "text").put("text", ""));
            inText = true;
        }
        return opening + delta("text_delta", "text", words);
    }

    private String think(String thought, String signature) {
        var block = Json.MAPPER
                .createObjectNode()
                .put("type", "thinking")
                .put("thinking", "")
                .put("signature", "");
        return endText()
                + start(block)
                + delta("thinking_delta", "thinking", thought)
                + delta("signature_delta", "signature", signature)
                + stop();
    }

    private String call(Step.Call call) {
        var middle = call.arguments().length() / 2;
        var block = Json.MAPPER
                .createObjectNode()
                .put("type", "tool_use")
                .put("id", call.id())
                .put("name", call.name());
        block.putObject("input");
        return endText()
                + start(block)
                + delta("input_json_delta", "partial_json", "")
                + delta("input_json_delta", "partial_json", call.arguments().substring(0, middle))
                + delta("input_json_delta", "partial_json", call.arguments().substring(middle))
                + stop();
    }

    private String endText() {
        if (!inText) {
            return "";
        }
        inText = false;
        return stop();
    }

    private String start(ObjectNode block) {
        index++;
        var start = typed("content_block_start").put("index", index);
        start.set("content_block", block);
        return text(start);
    }

    private String delta(String type, String field, String value) {
        var delta = typed("content_block_delta").put("index", index);
        delta.putObject("delta").put("type", type).put(field, value);
        return text(delta);
    }

    private String stop() {
        return text(typed("content_block_stop").put("index", index));
    }

    private static String error(boolean isTransient) {
        var error = typed("error");
        error.putObject("error")
                .put("type", isTransient ? "overloaded_error" : "invalid_request_error")
                .put("message", "something happened");
        return text(error);
    }

    @Override
    public String event(String data) {
        var name = data.contains("\"error\"") ? "error" : "content_block_delta";
        return "event: " + name + "\ndata: " + data + "\n\n";
    }

    private static ObjectNode typed(String type) {
        return Json.MAPPER.createObjectNode().put("type", type);
    }

    private static String text(ObjectNode event) {
        return "event: " + event.path("type").asString() + "\ndata: " + event + "\n\n";
    }

    @Override
    public @Nullable String systemOf(JsonNode request) {
        var texts = request.path("system")
                .valueStream()
                .map(part -> part.path("text").asString())
                .toList();
        return texts.isEmpty() ? null : String.join("\n", texts);
    }

    @Override
    public List<String> promptsOf(JsonNode request) {
        return blocks(request, "user", "text")
                .map(block -> block.path("text").asString())
                .toList();
    }

    @Override
    public List<String> imagesOf(JsonNode request) {
        return Stream.concat(
                        blocks(request, "user", "image"),
                        blocks(request, "user", "tool_result")
                                .flatMap(result -> result.path("content").valueStream())
                                .filter(part -> part.path("type").asString().equals("image")))
                .map(image -> image.path("source"))
                .map(source -> source.has("url")
                        ? source.path("url").asString()
                        : "data:%s;base64,%s"
                                .formatted(
                                        source.path("media_type").asString(),
                                        source.path("data").asString()))
                .toList();
    }

    @Override
    public Map<String, String> toolResultsOf(JsonNode request) {
        var results = new LinkedHashMap<String, String>();
        blocks(request, "user", "tool_result")
                .forEach(block -> results.put(block.path("tool_use_id").asString(), textOf(block.path("content"))));
        return results;
    }

    private static String textOf(JsonNode content) {
        return content.isString()
                ? content.asString()
                : content.valueStream()
                        .filter(part -> part.path("type").asString().equals("text"))
                        .map(part -> part.path("text").asString())
                        .collect(Collectors.joining("\n"));
    }

    @Override
    public Map<String, JsonNode> toolCallsOf(JsonNode request) {
        var calls = new LinkedHashMap<String, JsonNode>();
        blocks(request, "assistant", "tool_use")
                .forEach(block -> calls.put(block.path("id").asString(), block.path("input")));
        return calls;
    }

    @Override
    public Map<String, JsonNode> toolsOf(JsonNode request) {
        var tools = new LinkedHashMap<String, JsonNode>();
        request.path("tools").forEach(tool -> tools.put(tool.path("name").asString(), tool.path("input_schema")));
        return tools;
    }

    @Override
    public Map<String, String> thoughtsOf(JsonNode request) {
        var thoughts = new LinkedHashMap<String, String>();
        blocks(request, "assistant", "thinking")
                .forEach(block -> thoughts.put(
                        block.path("thinking").asString(),
                        block.path("signature").asString()));
        return thoughts;
    }

    private static Stream<JsonNode> blocks(JsonNode request, String role, String type) {
        return request.path("messages")
                .valueStream()
                .filter(message -> message.path("role").asString().equals(role))
                .flatMap(message -> message.path("content").valueStream())
                .filter(block -> block.path("type").asString().equals(type));
    }
}

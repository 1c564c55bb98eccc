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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Gemini's `streamGenerateContent`: every event is a response with new parts; nothing says that it was the last but a
/// reason to finish.
public final class GeminiWire implements Wire {

    @Override
    public Set<Feature> features() {
        return EnumSet.of(
                Feature.THINKING,
                Feature.SIGNATURES,
                Feature.CACHE_READS,
                Feature.REASONING_TOKENS,
                Feature.FILTERING,
                Feature.ERROR_KINDS,
                Feature.IMAGE_ADDRESSES);
    }

    @Override
    public String path() {
        return "/models/test:streamGenerateContent?alt=sse";
    }

    @Override
    public Map.Entry<String, String> authorization(String key) {
        return Map.entry("x-goog-api-key", key);
    }

    @Override
    public Wire fresh() {
        return this;
    }

    @Override
    public String event(String data) {
        return "data: " + data + "\r\n\r\n";
    }

    @Override
    public String begin(Usage usage) {
        return "";
    }

    @Override
    public @Nullable String speak(Step step) {
        return switch (step) {
            case Step.Say(var text) -> response(part().put("text", text));
            case Step.Think(var thought, var signature) ->
                response(part().put("text", thought).put("thought", true).put("thoughtSignature", signature));
            case Step.Call call -> call(call);
            case Step.Fail(var isTransient) -> error(isTransient);
            case Step.NewBlock _, Step.ThinkSecretly _ -> "";
            case Step.WaitAt _, Step.Raw _, Step.Cut _, Step.EndEarly _, Step.UntilHangUp _ -> null;
        };
    }

    private String call(Step.Call call) {
        var part = part();
        var function = part.putObject("functionCall").put("id", call.id()).put("name", call.name());
        if (!call.arguments().isEmpty()) {
            function.set("args", Json.MAPPER.readTree(call.arguments()));
        }
        return response(part);
    }

    private String error(boolean isTransient) {
        var error = part();
        error.putObject("error")
                .put("code", isTransient ? 503 : 400)
                .put("message", "something happened")
                .put("status", isTransient ? "UNAVAILABLE" : "INVALID_ARGUMENT");
        return event(error.toString());
    }

    @Override
    public String end(StopReason stop, Usage usage) {
        var response = part();
        var candidate = response.putArray("candidates").addObject().put("finishReason", nameOf(stop));
        candidate
                .putObject("content")
                .put("role", "model")
                .putArray("parts")
                .addObject()
                .put("text", "");
        response.putObject("usageMetadata")
                .put("promptTokenCount", usage.inputTokens())
                .put("cachedContentTokenCount", usage.cachedTokens())
                .put("candidatesTokenCount", usage.outputTokens() - usage.reasoningTokens())
                .put("thoughtsTokenCount", usage.reasoningTokens())
                .put("totalTokenCount", usage.totalTokens());
        return event(response.toString());
    }

    private static String nameOf(StopReason stop) {
        return switch (stop) {
            case STOP, TOOL_USE -> "STOP";
            case LENGTH -> "MAX_TOKENS";
            case FILTERED -> "SAFETY";
        };
    }

    private String response(ObjectNode part) {
        var response = part();
        var candidate = response.putArray("candidates").addObject().put("index", 0);
        candidate.putObject("content").put("role", "model").putArray("parts").add(part);
        response.put("modelVersion", "test");
        return event(response.toString());
    }

    private static ObjectNode part() {
        return Json.MAPPER.createObjectNode();
    }

    @Override
    public @Nullable String systemOf(JsonNode request) {
        var text = request.path("systemInstruction")
                .path("parts")
                .path(0)
                .path("text")
                .asString("");
        return text.isEmpty() ? null : text;
    }

    @Override
    public List<String> promptsOf(JsonNode request) {
        return parts(request, "user")
                .filter(part -> part.has("text"))
                .map(part -> part.path("text").asString())
                .toList();
    }

    @Override
    public List<String> imagesOf(JsonNode request) {
        return parts(request, "user")
                .filter(part -> part.has("inlineData") || part.has("fileData"))
                .map(part -> part.has("fileData")
                        ? part.path("fileData").path("fileUri").asString()
                        : "data:%s;base64,%s"
                                .formatted(
                                        part.path("inlineData").path("mimeType").asString(),
                                        part.path("inlineData").path("data").asString()))
                .toList();
    }

    @Override
    public Map<String, String> toolResultsOf(JsonNode request) {
        var results = new LinkedHashMap<String, String>();
        parts(request, "user")
                .map(part -> part.path("functionResponse"))
                .filter(JsonNode::isObject)
                .forEach(result -> results.put(
                        result.path("id").asString(),
                        result.path("response").path("output").asString()));
        return results;
    }

    @Override
    public Map<String, JsonNode> toolCallsOf(JsonNode request) {
        var calls = new LinkedHashMap<String, JsonNode>();
        parts(request, "model")
                .map(part -> part.path("functionCall"))
                .filter(JsonNode::isObject)
                .forEach(call -> calls.put(call.path("id").asString(), call.path("args")));
        return calls;
    }

    @Override
    public Map<String, JsonNode> toolsOf(JsonNode request) {
        var tools = new LinkedHashMap<String, JsonNode>();
        request.path("tools")
                .path(0)
                .path("functionDeclarations")
                .forEach(tool -> tools.put(tool.path("name").asString(), tool.path("parametersJsonSchema")));
        return tools;
    }

    @Override
    public Map<String, String> thoughtsOf(JsonNode request) {
        var thoughts = new LinkedHashMap<String, String>();
        parts(request, "model")
                .filter(part -> part.path("thought").asBoolean(false))
                .forEach(part -> thoughts.put(
                        part.path("text").asString(),
                        part.path("thoughtSignature").asString("")));
        return thoughts;
    }

    private static Stream<JsonNode> parts(JsonNode request, String role) {
        return request.path("contents")
                .valueStream()
                .filter(content -> content.path("role").asString().equals(role))
                .flatMap(content -> content.path("parts").valueStream());
    }
}

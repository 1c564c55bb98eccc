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

/// Ollama's `/api/chat`: one JSON object per line, the last of which says `done`.
public final class OllamaWire implements Wire {

    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.THINKING);
    }

    @Override
    public String path() {
        return "/api/chat";
    }

    @Override
    public Map.Entry<String, String> authorization(String key) {
        return Map.entry("Authorization", "Bearer " + key);
    }

    @Override
    public Wire fresh() {
        return this;
    }

    @Override
    public String contentType() {
        return "application/x-ndjson";
    }

    @Override
    public String event(String data) {
        return data + "\n";
    }

    @Override
    public String noise() {
        return "\n\r\n";
    }

    @Override
    public String begin(Usage usage) {
        return "";
    }

    @Override
    public @Nullable String speak(Step step) {
        return switch (step) {
            case Step.Say(var text) -> line(message -> message.put("content", text));
            case Step.Think thought ->
                line(message -> message.put("content", "").put("thinking", thought.text()));
            case Step.Call call -> call(call);
            case Step.Fail _ -> event("{\"error\":\"something happened\"}");
            case Step.NewBlock _, Step.ThinkSecretly _ -> "";
            case Step.WaitAt _, Step.Raw _, Step.Cut _, Step.EndEarly _, Step.UntilHangUp _ -> null;
        };
    }

    private String call(Step.Call call) {
        return line(message -> {
            var function = message.put("content", "")
                    .putArray("tool_calls")
                    .addObject()
                    .put("id", call.id())
                    .putObject("function")
                    .put("name", call.name());
            function.set(
                    "arguments",
                    call.arguments().isEmpty()
                            ? Json.MAPPER.createObjectNode()
                            : Json.MAPPER.readTree(call.arguments()));
        });
    }

    @Override
    public String end(StopReason stop, Usage usage) {
        var last = piece();
        last.putObject("message").put("role", "assistant").put("content", "");
        last.put("done", true)
                .put("done_reason", stop == StopReason.LENGTH ? "length" : "stop")
                .put("total_duration", 181_553_584)
                .put("prompt_eval_count", usage.inputTokens())
                .put("eval_count", usage.outputTokens());
        return event(last.toString());
    }

    private String line(Consumer<ObjectNode> what) {
        var line = piece();
        what.accept(line.putObject("message").put("role", "assistant"));
        line.put("done", false);
        return event(line.toString());
    }

    private static ObjectNode piece() {
        return Json.MAPPER.createObjectNode().put("model", "test").put("created_at", "2026-01-01T00:00:00.000000Z");
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
                .map(message -> message.path("content").asString())
                .toList();
    }

    /// Only the data: which kind of picture it is, Ollama sees for itself.
    @Override
    public List<String> imagesOf(JsonNode request) {
        return request.path("messages")
                .valueStream()
                .flatMap(message -> message.path("images").valueStream())
                .map(image -> "data:image/png;base64," + image.asString())
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
        var calls = new LinkedHashMap<String, JsonNode>();
        messages(request, "assistant")
                .flatMap(message -> message.path("tool_calls").valueStream())
                .forEach(call -> calls.put(
                        call.path("id").asString(), call.path("function").path("arguments")));
        return calls;
    }

    @Override
    public Map<String, JsonNode> toolsOf(JsonNode request) {
        return OpenAiWire.functionsOf(request);
    }

    @Override
    public Map<String, String> thoughtsOf(JsonNode request) {
        return Map.of();
    }

    private static Stream<JsonNode> messages(JsonNode request, String role) {
        return OpenAiWire.messages(request, role);
    }
}

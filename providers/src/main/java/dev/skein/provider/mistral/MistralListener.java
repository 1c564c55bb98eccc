package dev.skein.provider.mistral;

import dev.skein.message.Usage;
import dev.skein.model.ModelReply.StopReason;
import dev.skein.provider.remote.Fields;
import dev.skein.provider.remote.JsonModel;
import dev.skein.provider.remote.ProviderSaid;
import dev.skein.provider.remote.RemoteModel.Ended;
import dev.skein.provider.remote.Speech;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Hears a reply of Mistral's. Calls may come whole or in pieces, by their index, and are made when the reply is over.
final class MistralListener implements JsonModel.Listener {

    private static final Set<String> PERMANENT = Set.of(
            "invalid_request_error", "invalid_request_prompt", "invalid_model", "unauthorized", "validation_error");

    private final TreeMap<Integer, Call> calls = new TreeMap<>();
    private Usage usage = Usage.NONE;
    private @Nullable StopReason stop;

    private static final class Call {
        private @Nullable String id;
        private String name = "";
        private final StringBuilder arguments = new StringBuilder();
    }

    @Override
    public void hear(JsonNode event, Speech speech) {
        if (event.path("error").isObject() || event.path("object").asString("").equals("error")) {
            var error = event.path("error").isObject() ? event.path("error") : event;
            var type = error.path("type").asString("");
            throw new ProviderSaid(error.path("message").asString(type), !PERMANENT.contains(type));
        }
        var choice = event.path("choices").path(0);
        var delta = choice.path("delta");
        hearContent(delta.path("content"), speech);
        var position = 0;
        for (var call : delta.path("tool_calls")) {
            hearCall(call, call.path("index").asInt(position++), speech);
        }
        finish(choice.path("finish_reason").asString(""));
        if (event.path("usage").isObject()) {
            var counts = event.path("usage");
            usage = new Usage(
                    Fields.count(counts.path("prompt_tokens")),
                    Fields.count(counts.path("completion_tokens")),
                    Fields.count(counts.path("prompt_tokens_details").path("cached_tokens")),
                    0,
                    0);
        }
    }

    /// A text, or a list of texts and thoughts.
    private static void hearContent(JsonNode content, Speech speech) {
        var text = Fields.text(content);
        if (text != null) {
            speech.say(text);
        }
        for (var chunk : content.isArray() ? content : Fields.NOTHING) {
            var said = Fields.text(chunk.path("text"));
            if (said != null) {
                speech.say(said);
            }
            for (var thought : chunk.path("thinking")) {
                var thinking = Fields.text(thought.path("text"));
                if (thinking != null) {
                    speech.think(thinking);
                }
            }
        }
    }

    private void hearCall(JsonNode piece, int index, Speech speech) {
        var call = calls.computeIfAbsent(index, _ -> new Call());
        var id = Fields.text(piece.path("id"));
        if (id != null && !id.equals("null")) {
            call.id = id;
        }
        var function = piece.path("function");
        call.name += function.path("name").asString("");
        var arguments = function.path("arguments");
        var text = arguments.isObject() ? arguments.toString() : arguments.asString("");
        call.arguments.append(text);
        if (!text.isEmpty()) {
            speech.spellArguments(call.id, call.name, text);
        }
    }

    private void finish(String reason) {
        switch (reason) {
            case "" -> {}
            case "length", "model_length" -> stop = StopReason.LENGTH;
            case "content_filter" -> stop = StopReason.FILTERED;
            case "error" -> throw new ProviderSaid("it stopped with an error", true);
            default -> stop = StopReason.STOP;
        }
    }

    @Override
    public Ended ended(Speech speech) {
        if (stop != null) {
            calls.values().forEach(call -> speech.call(call.id, call.name, call.arguments.toString()));
        }
        return new Ended(stop, usage);
    }
}

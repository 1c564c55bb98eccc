package dev.skein.provider.gemini;

import dev.skein.message.Usage;
import dev.skein.model.ModelReply.StopReason;
import dev.skein.provider.remote.Fields;
import dev.skein.provider.remote.JsonModel;
import dev.skein.provider.remote.ProviderSaid;
import dev.skein.provider.remote.RemoteModel.Ended;
import dev.skein.provider.remote.Speech;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Hears a reply of Gemini's: every event is a whole response with the parts that are new. There is no last event, so
/// a reason to finish is what tells a reply from half of one.
final class GeminiListener implements JsonModel.Listener {

    private static final Set<String> TRANSIENT = Set.of(
            "UNAVAILABLE", "RESOURCE_EXHAUSTED", "INTERNAL", "DEADLINE_EXCEEDED", "ABORTED", "CANCELLED", "UNKNOWN");

    private Usage usage = Usage.NONE;
    private @Nullable StopReason stop;

    @Override
    public void hear(JsonNode event, Speech speech) {
        if (event.path("error").isObject()) {
            var error = event.path("error");
            var status = error.path("status").asString("");
            throw new ProviderSaid(error.path("message").asString(status), TRANSIENT.contains(status));
        }
        if (!event.path("promptFeedback").path("blockReason").asString("").isEmpty()) {
            stop = StopReason.FILTERED;
        }
        var candidate = event.path("candidates").path(0);
        candidate.path("content").path("parts").forEach(part -> hearPart(part, speech));
        finish(candidate);
        if (event.path("usageMetadata").isObject()) {
            usage = usage(event.path("usageMetadata"));
        }
    }

    private static void hearPart(JsonNode part, Speech speech) {
        var signature = Fields.text(part.path("thoughtSignature"));
        var text = part.path("text").asString("");
        if (part.path("functionCall").isObject()) {
            var call = part.path("functionCall");
            speech.call(Fields.text(call.path("id")), call.path("name").asString(""), call.path("args"), signature);
            return;
        }
        if (part.path("thought").asBoolean(false)) {
            speech.think(text);
        } else if (!text.isEmpty()) {
            speech.say(text);
        }
        if (signature != null) {
            sign(part, signature, speech);
        }
    }

    /// A signed text keeps its signature in a thought without words after it.
    private static void sign(JsonNode part, String signature, Speech speech) {
        if (!part.path("thought").asBoolean(false)) {
            speech.endPart();
        }
        speech.sign(signature);
        speech.endPart();
    }

    private void finish(JsonNode candidate) {
        var reason = candidate.path("finishReason").asString("");
        switch (reason) {
            case "" -> {}
            case "STOP" -> stop = StopReason.STOP;
            case "MAX_TOKENS" -> stop = StopReason.LENGTH;
            case "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE" ->
                throw new ProviderSaid(
                        "it stopped with " + reason + ": "
                                + candidate.path("finishMessage").asString(""),
                        true);
            case "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY" ->
                stop = StopReason.FILTERED;
            default -> stop = StopReason.STOP;
        }
    }

    /// Thoughts are counted beside the output; ours includes them.
    private static Usage usage(JsonNode counts) {
        var thoughts = Fields.count(counts.path("thoughtsTokenCount"));
        return new Usage(
                Fields.count(counts.path("promptTokenCount")) + Fields.count(counts.path("toolUsePromptTokenCount")),
                Fields.count(counts.path("candidatesTokenCount")) + thoughts,
                Fields.count(counts.path("cachedContentTokenCount")),
                0,
                thoughts);
    }

    @Override
    public Ended ended(Speech speech) {
        return new Ended(stop, usage);
    }
}

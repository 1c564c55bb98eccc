package dev.skein.provider.ollama;

import dev.skein.message.Usage;
import dev.skein.model.ModelReply.StopReason;
import dev.skein.provider.remote.Fields;
import dev.skein.provider.remote.JsonModel;
import dev.skein.provider.remote.ProviderSaid;
import dev.skein.provider.remote.RemoteModel.Ended;
import dev.skein.provider.remote.Speech;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Hears a reply of Ollama's: a piece of the message per line; the last one says `done` and counts. An error is a line
/// of its own and does not say whether it will pass, so it may.
final class OllamaListener implements JsonModel.Listener {

    private Usage usage = Usage.NONE;
    private @Nullable StopReason stop;

    @Override
    public void hear(JsonNode line, Speech speech) {
        if (line.has("error")) {
            throw new ProviderSaid(line.path("error").asString(""), true);
        }
        var message = line.path("message");
        var thinking = Fields.text(message.path("thinking"));
        if (thinking != null) {
            speech.think(thinking);
        }
        var content = Fields.text(message.path("content"));
        if (content != null) {
            speech.say(content);
        }
        for (var call : message.path("tool_calls")) {
            var function = call.path("function");
            var name = function.path("name").asString("");
            if (!name.isBlank()) {
                speech.call(Fields.text(call.path("id")), name, function.path("arguments"), null);
            }
        }
        if (line.path("done").asBoolean(false)) {
            stop = line.path("done_reason").asString("").equals("length") ? StopReason.LENGTH : StopReason.STOP;
            usage = Usage.of(Fields.count(line.path("prompt_eval_count")), Fields.count(line.path("eval_count")));
        }
    }

    @Override
    public Ended ended(Speech speech) {
        return new Ended(stop, usage);
    }
}

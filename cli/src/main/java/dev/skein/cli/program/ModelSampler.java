package dev.skein.cli.program;

import dev.skein.cancellation.Cancellation;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.model.ModelName;
import dev.skein.model.ModelReply;
import dev.skein.model.ModelRequest;
import dev.skein.model.Models;
import dev.skein.model.Sampling;
import dev.skein.session.Ids;
import dev.skein.tools.mcp.Sampler;
import dev.skein.wire.Json;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Has the model that usually answers give its opinion to a server: only on what the server says, without tools, and
/// not much of it.
///
/// @param chosen the model of the settings; null for the best that can be had
record ModelSampler(Models models, @Nullable ModelName chosen, Ids ids, InstantSource clock) implements Sampler {

    private static final int TOKENS_MAX = 4_096;

    @Override
    public ObjectNode sample(String server, JsonNode params, Cancellation cancellation) {
        var model = models.open(chosen == null ? models.defaultModel() : chosen);
        var asked = new ModelRequest(
                params.path("systemPrompt").isString()
                        ? params.path("systemPrompt").stringValue()
                        : null,
                messages(params.path("messages")),
                List.of(),
                new Sampling(
                        params.path("temperature").isNumber()
                                ? params.path("temperature").doubleValue()
                                : null,
                        null,
                        Math.clamp(params.path("maxTokens").asInt(TOKENS_MAX), 1, TOKENS_MAX),
                        null));
        var reply = model.reply(asked, _ -> {}, cancellation);
        var result = Json.MAPPER
                .createObjectNode()
                .put("role", "assistant")
                .put("model", model.name().toString())
                .put("stopReason", reply.stopReason() == ModelReply.StopReason.LENGTH ? "maxTokens" : "endTurn");
        result.putObject("content").put("type", "text").put("text", text(reply.parts()));
        return result;
    }

    private List<Message> messages(JsonNode sent) {
        var messages = new ArrayList<Message>();
        for (var message : sent) {
            var role = message.path("role").asString("").equals("assistant") ? Role.ASSISTANT : Role.USER;
            var content = message.path("content");
            var words = new ArrayList<String>();
            if (content.isArray()) {
                content.forEach(block -> words.add(block.path("text").asString("")));
            } else {
                words.add(content.path("text").asString(""));
            }
            messages.add(Message.of(ids.message(), role, clock.instant(), String.join("\n", words)));
        }
        return messages;
    }

    private static String text(List<Part> parts) {
        var text = new StringBuilder();
        parts.forEach(part -> {
            if (part instanceof Part.Text(var words)) {
                text.append(words);
            }
        });
        return text.toString();
    }
}

package dev.skein.provider.mistral;

import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.model.ModelRequest;
import dev.skein.provider.catalog.ModelInfo;
import dev.skein.provider.http.Endpoint;
import dev.skein.provider.http.Framing;
import dev.skein.provider.http.StreamingHttp;
import dev.skein.provider.remote.Fields;
import dev.skein.provider.remote.JsonModel;
import dev.skein.session.OutputShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A model of Mistral's, over its chat completions.
///
/// They look like OpenAI's but are not: fields that Mistral does not know are refused, ids of calls have exactly nine
/// letters or digits, and models that think say so in a list where others have a text. What the model thought is heard
/// but not sent back.
public final class MistralModel extends JsonModel {

    public static final String DEFAULT_BASE_URL = "https://api.mistral.ai/v1";

    public MistralModel(ModelInfo info, Endpoint endpoint, StreamingHttp http) {
        super(info, endpoint, http, Framing.EVENTS);
    }

    @Override
    protected String format() {
        return "mistral-chat-completions";
    }

    @Override
    protected String path() {
        return "/chat/completions";
    }

    @Override
    protected Map<String, String> headers() {
        return bearer();
    }

    @Override
    protected Listener listener() {
        return new MistralListener();
    }

    /// Beside tools it keeps models from calling them.
    @Override
    public boolean holds(OutputShape shape, boolean withTools) {
        return !withTools;
    }

    @Override
    protected ObjectNode body(ModelRequest request) {
        var body = object().put("model", info().name().model()).put("stream", true);
        var messages = body.putArray("messages");
        if (request.system() != null && !request.system().isBlank()) {
            messages.addObject().put("role", "system").put("content", request.system());
        }
        write(request.messages(), messages);
        if (!request.tools().isEmpty()) {
            body.set("tools", Fields.functions(request.tools()));
        }
        if (request.shape() != null) {
            body.set("response_format", Fields.responseFormat(request.shape()));
        }
        var sampling = request.sampling();
        if (sampling.temperature() != null) {
            body.put("temperature", sampling.temperature());
        }
        if (sampling.topP() != null) {
            body.put("top_p", sampling.topP());
        }
        if (sampling.tokensMax() != null) {
            body.put("max_tokens", sampling.tokensMax());
        }
        if (thinks(sampling) && info().thinking() == ModelInfo.Thinking.EFFORT) {
            body.put("prompt_mode", "reasoning");
        }
        return body;
    }

    /// Results hold text only, so pictures among them wait until all results are told.
    private static void write(List<Message> conversation, ArrayNode messages) {
        var pending = new ArrayList<Part.Image>();
        for (var message : conversation) {
            if (message.toolResults().isEmpty()) {
                flush(pending, messages);
            }
            for (var result : message.toolResults()) {
                messages.addObject()
                        .put("role", "tool")
                        .put("name", result.name())
                        .put("tool_call_id", CallIds.fit(result.call().text()))
                        .put("content", Fields.textOf(result.content()));
                pending.addAll(Fields.imagesOf(result.content()));
            }
            write(message, messages);
        }
        flush(pending, messages);
    }

    private static void flush(List<Part.Image> pending, ArrayNode messages) {
        if (!pending.isEmpty()) {
            writeContent(
                    "The pictures that the tools returned:",
                    pending,
                    messages.addObject().put("role", "user"));
            pending.clear();
        }
    }

    private static void write(Message message, ArrayNode messages) {
        var text = Fields.textOf(message.parts());
        var images = Fields.imagesOf(message.parts());
        var calls = message.toolCalls();
        if (text.isEmpty() && images.isEmpty() && calls.isEmpty()) {
            return;
        }
        var written = messages.addObject().put("role", Fields.roleOf(message));
        writeContent(text, images, written);
        if (!calls.isEmpty()) {
            var called = written.putArray("tool_calls");
            calls.forEach(call -> called.addObject()
                    .put("id", CallIds.fit(call.id().text()))
                    .put("type", "function")
                    .putObject("function")
                    .put("name", call.name())
                    .put("arguments", Fields.argumentsOf(call).toString()));
        }
    }

    private static void writeContent(String text, List<Part.Image> images, ObjectNode message) {
        if (images.isEmpty()) {
            message.put("content", text);
            return;
        }
        var content = message.putArray("content");
        if (!text.isEmpty()) {
            content.addObject().put("type", "text").put("text", text);
        }
        images.forEach(image -> content.addObject().put("type", "image_url").put("image_url", addressOf(image)));
    }

    private static String addressOf(Part.Image image) {
        return image.data() == null
                ? String.valueOf(image.url())
                : "data:%s;base64,%s".formatted(Fields.mimeTypeOf(image), image.data());
    }
}

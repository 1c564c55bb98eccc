package dev.skein.provider.ollama;

import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.model.ModelRequest;
import dev.skein.model.Sampling;
import dev.skein.provider.catalog.ModelInfo;
import dev.skein.provider.http.Endpoint;
import dev.skein.provider.http.Framing;
import dev.skein.provider.http.StreamingHttp;
import dev.skein.provider.remote.Fields;
import dev.skein.provider.remote.JsonModel;
import dev.skein.session.OutputShape;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A model that an Ollama serves, over `/api/chat`.
///
/// Ollama cuts a conversation that is longer than the window it was started with, and says nothing. So a window that
/// the catalog knows is asked for with every request.
public final class OllamaModel extends JsonModel {

    public static final String DEFAULT_BASE_URL = "http://localhost:11434";

    /// The levels that models which know levels know. Others are told to think or not.
    private static final Set<String> LEVELS = Set.of("low", "medium", "high");

    public OllamaModel(ModelInfo info, Endpoint endpoint, StreamingHttp http) {
        super(info, endpoint, http, Framing.LINES);
    }

    @Override
    protected String format() {
        return "ollama-chat";
    }

    @Override
    protected String path() {
        return "/api/chat";
    }

    @Override
    protected Map<String, String> headers() {
        return bearer();
    }

    @Override
    protected Listener listener() {
        return new OllamaListener();
    }

    /// With a format a model can say nothing else, and so call no tool.
    @Override
    public boolean holds(OutputShape shape, boolean withTools) {
        return !withTools;
    }

    @Override
    protected ObjectNode body(ModelRequest request) {
        var body = object().put("model", info().name().model()).put("stream", true);
        var messages = body.putArray("messages");
        var system = system(request);
        if (system != null && !system.isBlank()) {
            messages.addObject().put("role", "system").put("content", system);
        }
        request.messages().forEach(message -> write(message, messages));
        if (!request.tools().isEmpty()) {
            body.set("tools", Fields.functions(request.tools()));
        }
        if (request.shape() != null) {
            body.set("format", request.shape().schema());
        }
        if (thinks(request.sampling())) {
            think(request.sampling(), body);
        }
        var options = options(request.sampling());
        if (!options.isEmpty()) {
            body.set("options", options);
        }
        return body;
    }

    /// Ollama holds the answer to the schema without telling the model about it.
    private static @Nullable String system(ModelRequest request) {
        return request.shape() == null ? request.system() : request.shape().told(request.system());
    }

    private void think(Sampling sampling, ObjectNode body) {
        var level = String.valueOf(sampling.thinkingLevel());
        if (info().thinking() == ModelInfo.Thinking.EFFORT && LEVELS.contains(level)) {
            body.put("think", level);
        } else {
            body.put("think", true);
        }
    }

    private ObjectNode options(Sampling sampling) {
        var options = object();
        if (sampling.temperature() != null) {
            options.put("temperature", sampling.temperature());
        }
        if (sampling.topP() != null) {
            options.put("top_p", sampling.topP());
        }
        if (sampling.tokensMax() != null) {
            options.put("num_predict", sampling.tokensMax());
        }
        if (info().contextWindow() != null) {
            options.put("num_ctx", info().contextWindow());
        }
        return options;
    }

    private static void write(Message message, ArrayNode messages) {
        message.toolResults().forEach(result -> {
            var written = messages.addObject()
                    .put("role", "tool")
                    .put("tool_name", result.name())
                    .put("tool_call_id", result.call().text())
                    .put("content", Fields.textOf(result.content()));
            putImages(Fields.imagesOf(result.content()), written);
        });
        var text = Fields.textOf(message.parts());
        var images = Fields.imagesOf(message.parts());
        var calls = message.toolCalls();
        if (text.isEmpty() && images.isEmpty() && calls.isEmpty()) {
            return;
        }
        var written = messages.addObject().put("role", Fields.roleOf(message)).put("content", text);
        putImages(images, written);
        if (!calls.isEmpty()) {
            var called = written.putArray("tool_calls");
            calls.forEach(call -> called.addObject()
                    .put("id", call.id().text())
                    .putObject("function")
                    .put("name", call.name())
                    .set("arguments", Fields.argumentsOf(call)));
        }
    }

    private static void putImages(List<Part.Image> images, ObjectNode message) {
        if (images.isEmpty()) {
            return;
        }
        var written = message.putArray("images");
        for (var image : images) {
            if (image.data() == null) {
                throw new IllegalArgumentException("Ollama takes pictures as data, not by their address");
            }
            written.add(image.data());
        }
    }
}

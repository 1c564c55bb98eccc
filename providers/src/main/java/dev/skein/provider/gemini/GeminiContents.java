package dev.skein.provider.gemini;

import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.model.ModelRequest;
import dev.skein.provider.remote.Fields;
import dev.skein.wire.Json;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A conversation in Gemini's words: turns of user and model, whose parts keep our order.
///
/// Signatures go back where they came from: on a thought, on a call, or, where a text was signed, on an empty text
/// after it. Thoughts of other providers' models, and thoughts that nobody signed, are left out.
final class GeminiContents {

    /// What Google says to put where a model that wants signatures called a tool and there is none, as another
    /// provider's model made the call.
    private static final String FOREIGN_CALL = "skip_thought_signature_validator";

    private final boolean wantsSignatures;

    GeminiContents(String model) {
        this.wantsSignatures = model.startsWith("gemini-3");
    }

    void write(ModelRequest request, ObjectNode body) {
        var system = request.messages().stream()
                .filter(message -> message.role() == Role.SYSTEM)
                .map(Message::text)
                .collect(Collectors.joining("\n"));
        var instruction =
                request.system() == null ? system : request.system() + (system.isEmpty() ? "" : "\n" + system);
        if (!instruction.isBlank()) {
            body.putObject("systemInstruction").putArray("parts").addObject().put("text", instruction);
        }
        var contents = body.putArray("contents");
        for (var message : request.messages()) {
            if (message.role() != Role.SYSTEM) {
                add(message, contents);
            }
        }
    }

    private void add(Message message, ArrayNode contents) {
        var role = message.role() == Role.ASSISTANT ? "model" : "user";
        var last = contents.path(contents.size() - 1);
        var joins = last.path("role").asString("").equals(role);
        var parts = joins ? (ArrayNode) last.path("parts") : Json.MAPPER.createArrayNode();
        var isOurs = isOurs(message);
        for (var part : message.parts()) {
            write(part, isOurs, parts);
        }
        if (!joins && !parts.isEmpty()) {
            contents.addObject().put("role", role).set("parts", parts);
        }
    }

    private static boolean isOurs(Message message) {
        var reply = message.reply();
        return reply == null || reply.provider() == null || reply.provider().equals(GeminiModel.PROVIDER);
    }

    private void write(Part part, boolean isOurs, ArrayNode parts) {
        switch (part) {
            case Part.Text(var text) -> {
                if (!text.isEmpty()) {
                    parts.addObject().put("text", text);
                }
            }
            case Part.Image image -> write(image, parts);
            case Part.Thinking thought -> {
                if (isOurs && thought.signature() != null) {
                    var written = parts.addObject().put("text", thought.text());
                    if (!thought.text().isEmpty()) {
                        written.put("thought", true);
                    }
                    written.put("thoughtSignature", thought.signature());
                }
            }
            case Part.ToolCall call -> write(call, isOurs, parts);
            case Part.ToolResult result -> write(result, parts);
            case Part.Unknown _ -> {}
        }
    }

    private static void write(Part.Image image, ArrayNode parts) {
        if (image.data() != null) {
            parts.addObject()
                    .putObject("inlineData")
                    .put("mimeType", Fields.mimeTypeOf(image))
                    .put("data", image.data());
        } else {
            var file = parts.addObject().putObject("fileData").put("fileUri", image.url());
            if (image.mimeType() != null) {
                file.put("mimeType", image.mimeType());
            }
        }
    }

    private void write(Part.ToolCall call, boolean isOurs, ArrayNode parts) {
        var written = parts.addObject();
        written.putObject("functionCall")
                .put("id", call.id().text())
                .put("name", call.name())
                .set("args", Fields.argumentsOf(call));
        var signature = signature(call, isOurs);
        if (signature != null) {
            written.put("thoughtSignature", signature);
        }
    }

    private @Nullable String signature(Part.ToolCall call, boolean isOurs) {
        if (isOurs) {
            return call.signature();
        }
        return wantsSignatures ? FOREIGN_CALL : null;
    }

    /// The text first, then pictures beside it: a function's response holds text only.
    private static void write(Part.ToolResult result, ArrayNode parts) {
        parts.addObject()
                .putObject("functionResponse")
                .put("id", result.call().text())
                .put("name", result.name())
                .putObject("response")
                .put(result.isError() ? "error" : "output", Fields.textOf(result.content()));
        Fields.imagesOf(result.content()).forEach(image -> write(image, parts));
    }
}

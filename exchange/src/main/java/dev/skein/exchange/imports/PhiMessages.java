package dev.skein.exchange.imports;

import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.Usage;
import dev.skein.session.Ids;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// Messages as phi-core and pi write them. A key that nobody here knows goes to the message's metadata, that of a part
/// under `parts` and the part's place.
final class PhiMessages {

    private final Ids ids;
    private final OpenCalls calls;

    PhiMessages(Ids ids) {
        this.ids = ids;
        this.calls = new OpenCalls(ids);
    }

    /// Whether it is a program's own note, which no model is ever shown.
    static boolean isNote(Fields message) {
        return message.has("kind") && message.has("data");
    }

    Message message(Fields message, Instant otherwise) {
        var at = message.time("timestamp", otherwise);
        var role = message.requiredText("role");
        var strange = JsonNodeFactory.instance.objectNode();
        var parts = parts(message.take("content"), message.source(), strange);
        Message said = switch (role) {
            case "assistant" -> assistant(message, at, parts);
            case "toolResult" -> result(message, at, parts);
            default -> said(Role.USER, at, parts, null, message);
        };
        var metadata = new LinkedHashMap<>(said.metadata());
        if (said.role() == Role.USER && !role.equals("user")) {
            metadata.put("role", StringNode.valueOf(role));
        }
        if (!strange.isEmpty()) {
            metadata.put("parts", strange);
        }
        return new Message(said.id(), said.role(), at, said.parts(), said.reply(), metadata);
    }

    private Message assistant(Fields message, Instant at, List<Part> parts) {
        var used = message.object("usage");
        var stop = message.text("stopReason");
        var reply = new Message.Reply(
                message.text("model"),
                message.text("provider"),
                "toolUse".equals(stop) ? "tool_use" : stop,
                used == null ? null : usage(used),
                message.text(message.has("errorMessage") ? "errorMessage" : "error_message"));
        return said(Role.ASSISTANT, at, parts, reply, message);
    }

    private Message result(Fields message, Instant at, List<Part> parts) {
        var result = calls.answered(message.text("toolCallId"), message.text("toolName"), parts, message.is("isError"));
        return said(Role.TOOL, at, List.of(result), null, message);
    }

    private Message said(Role role, Instant at, List<Part> parts, Message.@Nullable Reply reply, Fields rest) {
        return new Message(ids.message(), role, at, parts, reply, rest.metadata());
    }

    /// Whether what came from a cache counts as input too is only told by the total.
    static Usage usage(Fields used) {
        var input = used.count("input");
        var output = used.count("output");
        var read = used.count(used.has("cacheRead") ? "cacheRead" : "cache_read");
        var written = used.count(used.has("cacheWrite") ? "cacheWrite" : "cache_write");
        var total = used.count(used.has("totalTokens") ? "totalTokens" : "total_tokens");
        var inputInAll = total == input + output ? input : input + read + written;
        return new Usage(inputInAll, output, read, written, used.count("reasoning"));
    }

    List<Part> parts(@Nullable JsonNode content, String source, ObjectNode strange) {
        if (content == null) {
            return List.of();
        }
        if (content.isString()) {
            return List.of(new Part.Text(content.asString()));
        }
        var parts = new ArrayList<Part>();
        for (var item : content.values()) {
            var fields = Fields.of(item, source, "part " + (parts.size() + 1) + " of a message");
            var part = part(fields);
            if (part == null) {
                parts.add(new Part.Unknown((ObjectNode) item));
            } else {
                parts.add(part);
                if (!fields.isEmpty()) {
                    strange.set(Integer.toString(parts.size() - 1), fields.rest());
                }
            }
        }
        return parts;
    }

    private @Nullable Part part(Fields part) {
        return switch (part.text("type", "")) {
            case "text" -> new Part.Text(part.text("text", ""));
            case "thinking" ->
                new Part.Thinking(
                        part.text("thinking", ""),
                        part.text(part.has("thinkingSignature") ? "thinkingSignature" : "signature"),
                        null);
            case "toolCall" ->
                calls.asked(part.text("id"), part.text("name", "unknown"), OpenCalls.arguments(part.take("arguments")));
            case "image" ->
                part.has("data") ? new Part.Image(part.text("mimeType"), part.text("data"), null, null) : null;
            default -> null;
        };
    }
}

package dev.skein.server.openai;

import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.server.http.Fields;
import dev.skein.server.http.HttpFailure;
import dev.skein.session.Ids;
import dev.skein.wire.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The messages of a request: what the model is told about its task, what was said, and what is new.
///
/// @param system the words of system and developer messages, null if there are none
/// @param said everything else, oldest first
record ChatMessages(@Nullable String system, List<Message> said) {

    private static final Pattern DATA_URL = Pattern.compile("data:(image/[a-z.+-]+);base64,(.*)", Pattern.DOTALL);

    static ChatMessages of(Fields body, Ids ids, Instant now) {
        var messages = body.objects("messages");
        if (messages.isEmpty()) {
            throw HttpFailure.invalid("field 'messages' is empty; send at least one message");
        }
        var system = new ArrayList<String>();
        var said = new ArrayList<Message>();
        var names = new HashMap<String, String>();
        for (var each : messages) {
            var role = each.text("role");
            switch (role) {
                case "system", "developer" -> system.add(words(each));
                case "user" -> said.add(new Message(ids.message(), Role.USER, now, parts(each), null, Map.of()));
                case "assistant" ->
                    said.add(new Message(ids.message(), Role.ASSISTANT, now, spoken(each, names), null, Map.of()));
                case "tool" ->
                    said.add(new Message(ids.message(), Role.TOOL, now, List.of(result(each, names)), null, Map.of()));
                default ->
                    throw HttpFailure.invalid("field '" + each.path()
                            + "role' must be system, developer, user, assistant or tool, not '" + role + "'");
            }
        }
        if (said.isEmpty() || said.getLast().role() == Role.ASSISTANT) {
            throw HttpFailure.invalid("the last of 'messages' must be the user's, or the result of a tool");
        }
        return new ChatMessages(system.isEmpty() ? null : String.join("\n\n", system), said);
    }

    /// Whether the client brings results of tools, rather than saying something.
    boolean endsWithResults() {
        return said.getLast().role() == Role.TOOL;
    }

    /// What is said now.
    List<Part> prompt() {
        return said.getLast().parts();
    }

    /// What was said before.
    List<Message> before() {
        return said.subList(0, said.size() - 1);
    }

    /// The results at the end.
    List<Part.ToolResult> results() {
        var first = said.size();
        while (first > 0 && said.get(first - 1).role() == Role.TOOL) {
            first--;
        }
        return said.subList(first, said.size()).stream()
                .flatMap(message -> message.toolResults().stream())
                .toList();
    }

    private static List<Part> parts(Fields message) {
        var content = message.object().path("content");
        if (content.isString()) {
            return List.of(new Part.Text(content.stringValue()));
        }
        var parts = message.objects("content").stream().map(ChatMessages::part).toList();
        if (parts.isEmpty()) {
            throw HttpFailure.invalid("field '" + message.path() + "content' must be a text or a list of parts");
        }
        return parts;
    }

    private static Part part(Fields part) {
        var type = part.text("type");
        return switch (type) {
            case "text" -> new Part.Text(part.text("text"));
            case "image_url" -> image(part.object("image_url").text("url"));
            default ->
                throw HttpFailure.invalid(
                        "field '" + part.path() + "type' must be text or image_url, not '" + type + "'");
        };
    }

    private static Part image(String url) {
        var data = DATA_URL.matcher(url);
        return data.matches()
                ? new Part.Image(data.group(1), data.group(2), null, null)
                : new Part.Image(null, null, url, null);
    }

    /// What a model said, and the names of the tools it asked for.
    private static List<Part> spoken(Fields message, Map<String, String> names) {
        var parts = new ArrayList<Part>();
        var words = words(message);
        if (!words.isEmpty()) {
            parts.add(new Part.Text(words));
        }
        for (var call : message.objects("tool_calls")) {
            var function = call.object("function");
            names.put(call.text("id"), function.text("name"));
            parts.add(new Part.ToolCall(
                    new ToolCallId(call.text("id")), function.text("name"), arguments(function), null));
        }
        return parts;
    }

    private static JsonNode arguments(Fields function) {
        var text = function.optionalText("arguments").orElse("{}");
        try {
            if (Json.MAPPER.readTree(text.isBlank() ? "{}" : text) instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException _) {
            // Said below.
        }
        throw HttpFailure.invalid("field '" + function.path() + "arguments' must be a text that holds a JSON object");
    }

    private static Part.ToolResult result(Fields message, Map<String, String> names) {
        var id = message.text("tool_call_id");
        var name = names.getOrDefault(id, "");
        return Part.ToolResult.text(new ToolCallId(id), name, words(message));
    }

    /// The words of a content that may be a text, a list of texts, or nothing.
    private static String words(Fields message) {
        var content = message.object().path("content");
        if (content.isString()) {
            return content.stringValue();
        }
        var words = new StringBuilder();
        for (var part : message.objects("content")) {
            words.append(part.optionalText("text")
                    .or(() -> part.optionalText("refusal"))
                    .orElse(""));
        }
        return words.toString();
    }
}

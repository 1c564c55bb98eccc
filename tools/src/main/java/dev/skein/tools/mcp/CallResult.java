package dev.skein.tools.mcp;

import dev.skein.message.Part;
import dev.skein.tool.ToolOutcome;
import dev.skein.tools.mcp.wire.VisibleText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// What a server answered to a call, as parts of a message.
final class CallResult {

    private static final int PARTS_MAX = 200;
    private static final int DATA_CHARS_MAX = 200_000;
    private static final int IMAGE_CHARS_MAX = 7_000_000;
    private static final int REASON_CHARS_MAX = 10_000;

    private CallResult() {}

    static ToolOutcome of(JsonNode result) {
        var parts = new ArrayList<Part>();
        for (var item : result.path("content")) {
            if (parts.size() >= PARTS_MAX) {
                parts.add(new Part.Text("[more than " + PARTS_MAX + " parts: the rest is left out]"));
                break;
            }
            parts.add(part(item));
        }
        if (result.path("isError").asBoolean(false)) {
            return new ToolOutcome.Failed(VisibleText.cut(words(parts), REASON_CHARS_MAX));
        }
        var data = data(result.path("structuredContent"), parts);
        if (parts.isEmpty()) {
            parts.add(new Part.Text(data == null ? "" : data.toString()));
        }
        return new ToolOutcome.Answered(parts, data, null);
    }

    private static String words(List<Part> parts) {
        var words = parts.stream()
                .map(part -> part instanceof Part.Text(var text) ? text : "[" + part.type() + "]")
                .collect(Collectors.joining("\n"));
        return words.isBlank() ? "the server gave no reason" : words;
    }

    private static @Nullable JsonNode data(JsonNode structured, List<Part> parts) {
        if (structured.isMissingNode() || structured.isNull()) {
            return null;
        }
        if (structured.toString().length() > DATA_CHARS_MAX) {
            parts.add(new Part.Text("[structured content of more than " + DATA_CHARS_MAX + " characters is left out]"));
            return null;
        }
        return structured;
    }

    private static Part part(JsonNode item) {
        return switch (item.path("type").asString("")) {
            case "text" -> new Part.Text(item.path("text").asString(""));
            case "image" ->
                image(item.path("mimeType").asString(""), item.path("data").asString(""));
            case "audio" ->
                left(
                        "audio",
                        item.path("mimeType").asString(""),
                        item.path("data").asString(""));
            case "resource_link" -> link(item);
            case "resource" -> resource(item.path("resource"));
            default ->
                new Part.Text("[content of a kind that is not known here: "
                        + VisibleText.cut(item.path("type").asString("none"), 100) + "]");
        };
    }

    private static Part image(String type, String data) {
        var fits = type.matches("image/[a-z0-9.+-]{1,50}") && data.length() <= IMAGE_CHARS_MAX && !data.isEmpty();
        return fits ? new Part.Image(type, data, null, null) : left("image", type, data);
    }

    private static Part left(String kind, String type, String data) {
        return new Part.Text(
                "[%s %s of %d bytes: not shown]".formatted(kind, VisibleText.cut(type, 100), data.length() / 4L * 3));
    }

    private static Part link(JsonNode item) {
        var text = new StringBuilder(
                        item.path("title").asString(item.path("name").asString("resource")))
                .append(": ")
                .append(item.path("uri").asString(""));
        if (item.has("description")) {
            text.append(" (").append(item.path("description").asString("")).append(')');
        }
        return new Part.Text(VisibleText.of(text.toString()));
    }

    private static Part resource(JsonNode resource) {
        var uri = VisibleText.cut(resource.path("uri").asString(""), 1_000);
        if (resource.path("text").isString()) {
            return new Part.Text(uri + ":\n" + resource.path("text").stringValue());
        }
        var type = resource.path("mimeType").asString("");
        var blob = resource.path("blob").asString("");
        return type.startsWith("image/") ? image(type, blob) : left("resource " + uri, type, blob);
    }
}

package dev.skein.tools.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.skein.cancellation.Cancellation;
import dev.skein.message.ToolCallId;
import dev.skein.tool.ToolOutcome.Waits.Ask;
import dev.skein.tool.ToolRequest;
import dev.skein.tools.mcp.wire.VisibleText;
import dev.skein.tools.mcp.wire.WireJson;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a server wants to know in the middle of a call: something of a person, or a model's opinion. Either way a
/// person
/// decides, who sees all of it.
record ServerQuestion(String server, String method, JsonNode params) {

    private static final String SAMPLING = "sampling/createMessage";
    private static final int SHOWN_CHARS_MAX = 12_000;

    boolean isSampling() {
        return method.equals(SAMPLING);
    }

    /// Whether a person can be asked this here: a form, or a model, but not a visit to some page.
    boolean canBeAsked(@Nullable Sampler sampler) {
        return isSampling()
                ? sampler != null
                : params.path("mode").asString("form").equals("form");
    }

    Ask ask(ToolCallId call, int number) {
        var args = WireJson.object().put("server", server);
        if (isSampling()) {
            args.set("request", shown(params));
            return Ask.inTheMiddleOf(
                    call, number, "sampling", args, "the MCP server '" + server + "' wants to ask your model this");
        }
        args.put("question", VisibleText.cut(params.path("message").asString(""), SHOWN_CHARS_MAX) + fields());
        args.set("schema", shown(params.path("requestedSchema")));
        return Ask.inTheMiddleOf(
                call, number, "elicitation", args, "the MCP server '" + server + "' wants to know something of you");
    }

    private static JsonNode shown(JsonNode json) {
        var text = json.toString();
        return text.length() <= SHOWN_CHARS_MAX
                ? json
                : WireJson.object().put("cut", VisibleText.cut(text, SHOWN_CHARS_MAX));
    }

    /// One field is answered by its value, several by an object.
    private String fields() {
        var fields = params.path("requestedSchema").path("properties");
        var text = new StringBuilder(fields.size() > 1 ? "\nanswer with a JSON object:" : "");
        for (var field : fields.properties()) {
            var about = field.getValue();
            text.append("\n  ").append(field.getKey());
            text.append(" (").append(about.path("type").asString("string"));
            if (about.has("enum")) {
                text.append(", one of ").append(about.path("enum"));
            }
            if (about.has("default")) {
                text.append(", else ").append(about.path("default"));
            }
            text.append(") ")
                    .append(about.path("description")
                            .asString(about.path("title").asString("")));
        }
        return VisibleText.cut(text.toString(), SHOWN_CHARS_MAX);
    }

    /// What the server is told; empty if what the person said does not fit what was asked.
    Optional<ObjectNode> answer(ToolRequest.Answer answer, @Nullable Sampler sampler, Cancellation cancellation) {
        if (isSampling()) {
            return Optional.of(
                    answer.approved() && sampler != null
                            ? sampler.sample(server, params, cancellation)
                            : OngoingCall.declined());
        }
        return answer.approved()
                ? content(answer.words() == null ? "" : answer.words()).map(ServerQuestion::accepted)
                : Optional.of(OngoingCall.declined());
    }

    private static ObjectNode accepted(ObjectNode content) {
        var result = WireJson.object().put("action", "accept");
        result.set("content", content);
        return result;
    }

    private Optional<ObjectNode> content(String words) {
        var schema = params.path("requestedSchema");
        var fields = schema.path("properties");
        var said = object(words).orElseGet(() -> {
            var one = WireJson.object();
            if (fields.size() == 1 && !words.isBlank()) {
                one.put(fields.propertyNames().iterator().next(), words.strip());
            }
            return one;
        });
        var content = WireJson.object();
        for (var field : fields.properties()) {
            var value = said.has(field.getKey())
                    ? said.path(field.getKey())
                    : field.getValue().path("default");
            if (!value.isMissingNode()) {
                var fitting = Fitting.of(value, field.getValue());
                if (fitting.isEmpty()) {
                    return Optional.empty();
                }
                content.set(field.getKey(), fitting.get());
            }
        }
        for (var required : schema.path("required")) {
            if (!content.has(required.asString(""))) {
                return Optional.empty();
            }
        }
        return Optional.of(content);
    }

    private static Optional<ObjectNode> object(String words) {
        try {
            return words.strip().startsWith("{") && WireJson.read(words.getBytes(UTF_8)) instanceof ObjectNode json
                    ? Optional.of(json)
                    : Optional.empty();
        } catch (JacksonException | IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}

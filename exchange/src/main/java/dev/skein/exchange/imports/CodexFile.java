package dev.skein.exchange.imports;

import dev.skein.exchange.history.DataUrl;
import dev.skein.exchange.history.History;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.Usage;
import dev.skein.session.Ids;
import dev.skein.session.SessionSettings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `rollout-….jsonl` of Codex: the items of a conversation in order. What the model said, thought and called between
/// two
/// inputs is one message. Lines of type `event_msg` repeat for the screen what other lines say; only the token counts
/// in
/// them are taken.
final class CodexFile {

    private final SourceFile source;
    private final Ids ids;
    private final OpenCalls calls;
    private final History history;
    private final List<Part> answer = new ArrayList<>();
    private final String provider;
    private @Nullable String model;
    private @Nullable Usage used;
    private Instant last;
    private Instant answeredAt;

    private CodexFile(SourceFile source, Ids ids, History history, String provider, Instant createdAt) {
        this.source = source;
        this.ids = ids;
        this.calls = new OpenCalls(ids);
        this.history = history;
        this.provider = provider;
        this.last = createdAt;
        this.answeredAt = createdAt;
    }

    static boolean isHead(ObjectNode line) {
        return line.path("type").asString("").equals("session_meta")
                && line.path("payload").has("id");
    }

    static ForeignSession read(List<ObjectNode> lines, SourceFile source) {
        var head = Fields.of(
                lines.stream()
                        .filter(CodexFile::isHead)
                        .findFirst()
                        .orElseThrow()
                        .get("payload"),
                source.name(),
                "session_meta");
        var id = head.requiredText("id");
        var createdAt = head.time("timestamp", source.modifiedAt());
        var ids = ForeignSession.ids(Tool.CODEX, id, createdAt);
        var provider = head.text("model_provider", "openai");
        var history = new History(createdAt, ids, settings(provider, lines), source.earlier());
        var reader = new CodexFile(source, ids, history, provider, createdAt);
        lines.forEach(reader::add);
        if (!Branches.isUnfinished(reader.answer)) {
            reader.endAnswer();
        }
        var session = ForeignSession.named(Tool.CODEX, source, id)
                .withMetadata(head.metadata())
                .withEvents(history.events());
        return ForeignSession.of(Tool.CODEX, session, createdAt);
    }

    /// With the model that was used first: the same whatever is added to the file later.
    private static SessionSettings settings(String provider, List<ObjectNode> lines) {
        return lines.stream()
                .filter(line -> line.path("type").asString("").equals("turn_context"))
                .map(line -> line.path("payload").path("model").asString(""))
                .filter(name -> !name.isEmpty())
                .findFirst()
                .map(name -> SessionSettings.NONE.withModel(provider, name))
                .orElse(SessionSettings.NONE);
    }

    private void add(ObjectNode line) {
        var entry = Fields.of(line, source.name(), "a line");
        last = entry.time("timestamp", last);
        var type = entry.text("type", "");
        var payload = entry.has("payload") ? entry.object("payload") : null;
        if (payload == null) {
            return;
        }
        switch (type) {
            case "response_item" -> item(payload);
            case "turn_context" -> model = payload.text("model", model == null ? "" : model);
            case "compacted" -> {
                endAnswer();
                history.recap(List.of(said(Role.USER, List.of(new Part.Text(payload.text("message", ""))))));
            }
            case "event_msg" -> count(payload);
            case "session_meta" -> {}
            default -> history.note(Kept.event(last, "codex_" + type, line));
        }
    }

    private void item(Fields item) {
        var type = item.text("type", "");
        switch (type) {
            case "message" -> message(item);
            case "reasoning" -> answered(new Part.Thinking(words(item.list("summary")), null, null));
            case "function_call" -> answered(call(item, OpenCalls.arguments(item.take("arguments"))));
            case "custom_tool_call" -> answered(call(item, OpenCalls.arguments(item.take("input"))));
            case "local_shell_call" ->
                answered(calls.asked(item.text("call_id"), "shell", OpenCalls.arguments(item.take("action"))));
            case "function_call_output", "custom_tool_call_output" -> {
                var call = item.text("call_id");
                var output = item.take("output");
                endAnswer();
                history.say(List.of(said(Role.TOOL, List.of(calls.answered(call, null, outputOf(output), false)))));
            }
            default -> answered(new Part.Unknown(item.rest().put("type", type)));
        }
    }

    private void message(Fields item) {
        var role = item.text("role", "user");
        var parts = parts(item.list("content"));
        if (role.equals("assistant")) {
            parts.forEach(this::answered);
            return;
        }
        endAnswer();
        history.say(List.of(said(role.equals("user") && !isContext(parts) ? Role.USER : Role.SYSTEM, parts)));
    }

    /// What Codex tells the model about where it is, in the user's name.
    private static boolean isContext(List<Part> parts) {
        return parts.stream().findFirst().filter(Part.Text.class::isInstance).isPresent()
                && parts.getFirst() instanceof Part.Text(var text)
                && (text.startsWith("<environment_context>")
                        || text.startsWith("<user_instructions>")
                        || text.startsWith("# AGENTS.md instructions"));
    }

    private Part call(Fields item, JsonNode arguments) {
        return calls.asked(item.text("call_id"), item.text("name", "unknown"), arguments);
    }

    private static String outputOf(@Nullable JsonNode output) {
        if (output == null) {
            return "";
        }
        var inner = output.isObject() && output.has("content") ? output.get("content") : output;
        return inner.isString() ? inner.asString() : inner.toString();
    }

    private List<Part> parts(List<JsonNode> content) {
        var parts = new ArrayList<Part>();
        for (var item : content) {
            var part = Fields.of(item, source.name(), "a part of a message");
            var type = part.text("type", "");
            var url = type.equals("input_image") ? part.text("image_url") : null;
            if (type.equals("input_text") || type.equals("output_text") || type.equals("text")) {
                parts.add(new Part.Text(part.text("text", "")));
            } else if (url != null) {
                parts.add(DataUrl.image(url, null));
            } else {
                parts.add(new Part.Unknown((ObjectNode) item));
            }
        }
        return parts;
    }

    private static String words(List<JsonNode> summary) {
        return String.join(
                "\n",
                summary.stream().map(part -> part.path("text").asString("")).toList());
    }

    private void count(Fields payload) {
        var usage = payload.rest().path("info").path("last_token_usage");
        if (payload.text("type", "").equals("token_count") && usage.isObject()) {
            var counts = Fields.of(usage, source.name(), "a token count");
            used = new Usage(
                    counts.count("input_tokens"),
                    counts.count("output_tokens"),
                    counts.count("cached_input_tokens"),
                    0,
                    counts.count("reasoning_output_tokens"));
        }
    }

    private void answered(Part part) {
        answer.add(part);
        answeredAt = last;
    }

    private void endAnswer() {
        if (!answer.isEmpty()) {
            var reply = new Message.Reply(model, provider, null, used, null);
            history.say(List.of(
                    new Message(ids.message(), Role.ASSISTANT, answeredAt, List.copyOf(answer), reply, Map.of())));
            answer.clear();
            used = null;
        }
    }

    private Message said(Role role, List<Part> parts) {
        return new Message(ids.message(), role, last, parts, null, Map.of());
    }
}

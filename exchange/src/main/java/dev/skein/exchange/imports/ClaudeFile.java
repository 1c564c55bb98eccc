package dev.skein.exchange.imports;

import dev.skein.exchange.history.History;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.Usage;
import dev.skein.session.Ids;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionSettings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `<session>.jsonl` of Claude Code: a tree of entries. One answer of the model is spread over several lines with the
/// same
/// message id; what tools answered stands in the user's messages.
///
/// After a compaction a new root begins with the summary, so a model sees what the original would show it. A file of a
/// sub-agent becomes a session of its own.
final class ClaudeFile {

    private static final Set<String> ABOUT = Set.of("cwd", "gitBranch", "version", "slug");

    private final SourceFile source;
    private final OpenCalls calls;
    private final Branches branches;
    private final Map<String, String> answers = new HashMap<>();
    private final Map<String, JsonNode> about = new LinkedHashMap<>();
    private @Nullable String title;
    private @Nullable String model;
    private Instant last;

    private ClaudeFile(SourceFile source, Ids ids, Instant createdAt) {
        this.source = source;
        this.calls = new OpenCalls(ids);
        this.branches = new Branches(ids);
        this.last = createdAt;
    }

    static boolean isEntry(ObjectNode line) {
        return line.has("uuid") && line.has("sessionId") && line.path("message").isObject();
    }

    static ForeignSession read(List<ObjectNode> lines, SourceFile source) {
        var first = lines.stream().filter(ClaudeFile::isEntry).findFirst().orElseThrow();
        var mainLine = lines.stream()
                .anyMatch(line -> isEntry(line) && !line.path("isSidechain").asBoolean(false));
        var id = mainLine ? first.path("sessionId").asString(source.stem()) : source.stem();
        var createdAt = Fields.of(first, source.name(), "the first entry").time("timestamp", source.modifiedAt());
        var ids = ForeignSession.ids(Tool.CLAUDE_CODE, id, createdAt);
        var reader = new ClaudeFile(source, ids, createdAt);
        for (var line : lines) {
            reader.add(line, mainLine);
        }
        var settings =
                reader.model == null ? SessionSettings.NONE : SessionSettings.NONE.withModel("anthropic", reader.model);
        var history = new History(createdAt, ids, settings, source.earlier());
        reader.branches.leaveOutUnfinished();
        reader.branches.tell(history);
        var session = ForeignSession.named(Tool.CLAUDE_CODE, source, id)
                .named(ForeignSession.alias(reader.title))
                .withMetadata(reader.about)
                .withEvents(history.events());
        return ForeignSession.of(Tool.CLAUDE_CODE, session, createdAt);
    }

    private void add(ObjectNode line, boolean mainLine) {
        var entry = Fields.of(line, source.name(), "an entry");
        last = entry.time("timestamp", last);
        for (var key : ABOUT) {
            var value = entry.take(key);
            if (value != null && !value.asString("").isEmpty()) {
                about.putIfAbsent(key, value);
            }
        }
        var sidechain = entry.is("isSidechain");
        var type = entry.text("type", "");
        var id = entry.id("uuid");
        var parent = entry.text("parentUuid");
        if (id == null || (sidechain && mainLine)) {
            noteAside(type, line);
            return;
        }
        var message = type.equals("user") || type.equals("assistant") ? entry.object("message") : null;
        if (message == null) {
            branches.add(id, parent, List.of());
            noteAside(type, line);
        } else if (type.equals("assistant")) {
            answer(id, parent, message);
        } else {
            branches.add(id, parent, said(id, message, entry.take("toolUseResult")));
        }
    }

    private void noteAside(String type, ObjectNode line) {
        switch (type) {
            case "summary" -> describe(line.path("summary").asString(""));
            case "ai-title" -> describe(line.path("aiTitle").asString(""));
            case "custom-title" -> title = line.path("customTitle").asString(title);
            default -> branches.note(Kept.event(last, "claude_code_" + type, line));
        }
    }

    private void describe(String words) {
        branches.note(new SessionEvent.SessionDescribed(last, words));
    }

    private void answer(String id, @Nullable String parent, Fields message) {
        var own = message.id("id", id);
        var parts = parts(message.take("content"), null);
        var before = answers.get(own);
        var begun = before == null ? null : branches.newest(before);
        if (before != null && begun != null) {
            var all = new ArrayList<>(begun.parts());
            all.addAll(parts);
            branches.replace(before, begun.withParts(all));
            branches.add(id, before, List.of());
            return;
        }
        var name = message.text("model");
        if (model == null && name != null && !name.startsWith("<")) {
            model = name;
        }
        var used = message.object("usage");
        var reply = new Message.Reply(
                name, "anthropic", message.text("stop_reason"), used == null ? null : usage(used), null);
        var said = new Message(new MessageId(own), Role.ASSISTANT, last, parts, reply, Map.of());
        branches.add(id, parent, List.of(said));
        answers.put(own, id);
    }

    /// What a person said, or what tools answered, each as a message.
    private List<Message> said(String id, Fields message, @Nullable JsonNode data) {
        var said = new ArrayList<Message>();
        var words = new ArrayList<Part>();
        for (var part : parts(message.take("content"), data)) {
            if (part instanceof Part.ToolResult result) {
                var own = new MessageId(id + (said.isEmpty() ? "" : "-" + said.size()));
                said.add(Message.of(own, Role.TOOL, last, new Part[] {result}));
            } else {
                words.add(part);
            }
        }
        if (!words.isEmpty()) {
            var own = new MessageId(said.isEmpty() ? id : id + "-said");
            said.add(new Message(own, Role.USER, last, words, null, Map.of()));
        }
        return said;
    }

    private List<Part> parts(@Nullable JsonNode content, @Nullable JsonNode data) {
        if (content == null) {
            return List.of();
        }
        if (content.isString()) {
            return List.of(new Part.Text(content.asString()));
        }
        var parts = new ArrayList<Part>();
        for (var item : content.values()) {
            if (item.isString()) {
                parts.add(new Part.Text(item.asString()));
            } else {
                parts.add(part(Fields.of(item, source.name(), "a part of a message"), item, data));
            }
        }
        return parts;
    }

    private Part part(Fields part, JsonNode whole, @Nullable JsonNode data) {
        return switch (part.text("type", "")) {
            case "text" -> new Part.Text(part.text("text", ""));
            case "thinking" -> new Part.Thinking(part.text("thinking", ""), part.text("signature"), null);
            case "redacted_thinking" -> new Part.Thinking("", null, part.text("data"));
            case "tool_use" ->
                calls.asked(part.text("id"), part.text("name", "unknown"), OpenCalls.arguments(part.take("input")));
            case "tool_result" -> {
                var failed = part.is("is_error");
                var result = calls.answered(part.text("tool_use_id"), null, parts(part.take("content"), null), failed);
                yield new Part.ToolResult(result.call(), result.name(), result.content(), failed, data);
            }
            case "image" -> image(part, whole);
            default -> unknown(whole);
        };
    }

    private static Part image(Fields part, JsonNode whole) {
        var picture = part.object("source");
        var data = picture == null ? null : picture.text("data");
        var url = picture == null ? null : picture.text("url");
        return picture == null || (data == null && url == null)
                ? unknown(whole)
                : new Part.Image(picture.text("media_type"), data, url, null);
    }

    private static Part unknown(JsonNode whole) {
        return new Part.Unknown((ObjectNode) whole);
    }

    private static Usage usage(Fields used) {
        var read = used.count("cache_read_input_tokens");
        var written = used.count("cache_creation_input_tokens");
        return new Usage(used.count("input_tokens") + read + written, used.count("output_tokens"), read, written, 0);
    }
}

package dev.skein.exchange.imports;

import dev.skein.exchange.history.History;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.session.Ids;
import dev.skein.session.SessionSettings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/// `<channel>_<chat>.json` of miniclaw: one chat on one channel. The session gets the name under which Skein's channels
/// look
/// for it, so that the chat goes on.
final class MiniclawFile {

    private final Ids ids;
    private final OpenCalls calls;
    private Instant last;

    private MiniclawFile(Ids ids, Instant createdAt) {
        this.ids = ids;
        this.calls = new OpenCalls(ids);
        this.last = createdAt;
    }

    static boolean isOne(JsonNode root) {
        return root.has("chat_id")
                && root.has("channel")
                && root.path("messages").isArray();
    }

    static ForeignSession read(Fields file, SourceFile source) {
        var channel = file.requiredText("channel");
        var chat = file.requiredText("chat_id");
        var id = file.text("session_id", channel + "_" + chat);
        var createdAt = file.time("created_at", source.modifiedAt());
        // It says nothing but when the file was written.
        file.drop("last_accessed");
        var unique = id + "\0" + createdAt;
        var reader = new MiniclawFile(ForeignSession.ids(Tool.MINICLAW, unique, createdAt), createdAt);
        var history = new History(createdAt, reader.ids, SessionSettings.NONE);
        file.objects("messages").forEach(message -> history.say(List.of(reader.message(message))));
        var metadata = new LinkedHashMap<String, JsonNode>();
        metadata.put("from_channel", StringNode.valueOf(channel));
        metadata.put("chat", StringNode.valueOf(chat));
        metadata.putAll(file.metadata());
        var session = ForeignSession.named(Tool.MINICLAW, source, unique)
                .named(ForeignSession.alias(channel + "_" + chat))
                .withMetadata(metadata)
                .withEvents(history.events());
        return ForeignSession.of(Tool.MINICLAW, session, createdAt);
    }

    private Message message(Fields message) {
        var role = message.requiredText("role");
        var text = message.text("content", "");
        last = message.time("timestamp", last);
        return switch (role) {
            case "assistant" -> {
                var parts = new ArrayList<Part>();
                if (!text.isEmpty()) {
                    parts.add(new Part.Text(text));
                }
                message.objects("tool_calls").forEach(call -> parts.add(call(call)));
                yield said(Role.ASSISTANT, parts, message.metadata());
            }
            case "tool_result", "tool" -> {
                var result = calls.answered(message.text("tool_call_id"), message.text("name"), text, false);
                yield said(Role.TOOL, List.of(result), message.metadata());
            }
            default -> {
                var metadata = message.metadata();
                if (!role.equals("user")) {
                    metadata.put("role", StringNode.valueOf(role));
                }
                yield said(Role.USER, List.of(new Part.Text(text)), metadata);
            }
        };
    }

    private Part call(Fields call) {
        var name = call.text("name", "unknown");
        return calls.asked(call.text("id"), name, OpenCalls.arguments(call.take("arguments")));
    }

    private Message said(Role role, List<Part> parts, Map<String, JsonNode> metadata) {
        return new Message(ids.message(), role, last, parts, null, metadata);
    }
}

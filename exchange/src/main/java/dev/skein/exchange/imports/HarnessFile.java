package dev.skein.exchange.imports;

import dev.skein.exchange.history.History;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.session.Ids;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionSettings;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/// `<id>.json` of agent-harness. What tools answered is there, what they were asked is not, so a model is not shown it.
final class HarnessFile {

    private static final String NOT_GIVEN = "unknown";

    private final Ids ids;
    private final Set<String> seen = new HashSet<>();
    private final OpenCalls calls;
    private Instant last;

    private HarnessFile(Ids ids, Instant createdAt) {
        this.ids = ids;
        this.calls = new OpenCalls(ids);
        this.last = createdAt;
    }

    static boolean isOne(JsonNode root) {
        return root.path("metadata").has("id") && root.path("messages").isArray();
    }

    static ForeignSession read(Fields file, SourceFile source) {
        var about = file.object("metadata");
        if (about == null) {
            throw file.missing("metadata");
        }
        var id = about.requiredText("id");
        var createdAt = about.time("createdAt", source.modifiedAt());
        var unique = id + "\0" + createdAt;
        var reader = new HarnessFile(ForeignSession.ids(Tool.AGENT_HARNESS, unique, createdAt), createdAt);
        var settings = SessionSettings.NONE.withModel(given(about.text("provider")), given(about.text("model")));
        var history = new History(createdAt, reader.ids, settings);
        var description = about.text("description");
        if (description != null && !description.isBlank()) {
            history.note(new SessionEvent.SessionDescribed(createdAt, description));
        }
        file.objects("messages").forEach(message -> history.say(List.of(reader.message(message))));
        var name = about.text("name", id);
        // These follow from the messages.
        about.drop("lastActivityAt", "messageCount", "firstMessage");
        var metadata = file.metadata();
        metadata.putAll(about.metadata());
        var session = ForeignSession.named(Tool.AGENT_HARNESS, source, unique)
                .named(ForeignSession.alias(name))
                .withMetadata(metadata)
                .withEvents(history.events());
        return ForeignSession.of(Tool.AGENT_HARNESS, session, createdAt);
    }

    private Message message(Fields message) {
        var given = message.requiredText("role");
        var text = message.text("content", "");
        last = message.time("timestamp", last);
        var role = switch (given) {
            case "system" -> Role.SYSTEM;
            case "assistant" -> Role.ASSISTANT;
            case "tool" -> Role.TOOL;
            default -> Role.USER;
        };
        var id = message.text("id");
        Part part = role == Role.TOOL
                ? calls.answered(message.text("toolCallId"), message.text("name"), text, false)
                : new Part.Text(text);
        var metadata = message.metadata();
        if (!role.toString().equals(given)) {
            metadata.put("role", StringNode.valueOf(given));
        }
        var own = id == null || id.isBlank() || !seen.add(id) ? ids.message() : new MessageId(id);
        return new Message(own, role, last, List.of(part), null, metadata);
    }

    private static @Nullable String given(@Nullable String text) {
        return NOT_GIVEN.equals(text) ? null : text;
    }
}

package dev.skein.exchange.imports;

import dev.skein.exchange.history.History;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.session.Ids;
import dev.skein.session.SessionSettings;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// `<time>_<session>.jsonl` of pi: a head, then a tree of entries; in files of version 1, a list of them. What
/// extensions
/// keep for themselves, labels and changes of the thinking level are kept as they were.
final class PiFile {

    private final SourceFile source;
    private final PhiMessages messages;
    private final Branches branches;
    private @Nullable String name;
    private @Nullable String previous;
    private @Nullable String provider;
    private @Nullable String model;
    private Instant last;

    private PiFile(SourceFile source, Ids ids, Instant createdAt) {
        this.source = source;
        this.messages = new PhiMessages(ids);
        this.branches = new Branches(ids);
        this.last = createdAt;
    }

    static boolean isHead(ObjectNode line) {
        return line.path("type").asString("").equals("session")
                && line.path("id").isString();
    }

    static ForeignSession read(List<ObjectNode> lines, SourceFile source) {
        var head =
                Fields.of(lines.stream().filter(PiFile::isHead).findFirst().orElseThrow(), source.name(), "the head");
        var id = head.requiredText("id");
        var createdAt = head.time("timestamp", source.modifiedAt());
        var ids = ForeignSession.ids(Tool.PI, id, createdAt);
        var reader = new PiFile(source, ids, createdAt);
        for (int i = 0; i < lines.size(); i++) {
            if (!isHead(lines.get(i))) {
                reader.add(lines.get(i), "line-" + i);
            }
        }
        var history = new History(
                createdAt, ids, SessionSettings.NONE.withModel(reader.provider, reader.model), source.earlier());
        reader.branches.tell(history);
        head.drop("type");
        var session = ForeignSession.named(Tool.PI, source, id)
                .named(ForeignSession.alias(reader.name))
                .withMetadata(head.metadata())
                .withEvents(history.events());
        return ForeignSession.of(Tool.PI, session, createdAt);
    }

    private void add(ObjectNode line, String otherwise) {
        var entry = Fields.of(line, source.name(), "an entry");
        last = entry.time("timestamp", last);
        var id = entry.id("id", otherwise);
        var parent = line.has("parentId") ? entry.text("parentId") : previous;
        previous = id;
        var said = said(entry, line, id);
        branches.add(id, parent, said == null ? List.of() : List.of(said));
    }

    private @Nullable Message said(Fields entry, ObjectNode line, String id) {
        var type = entry.text("type", "");
        return switch (type) {
            case "message" -> message(entry, line, id);
            case "custom_message", "branch_summary" ->
                told(id, entry.text(type.equals("branch_summary") ? "summary" : "content"), type);
            case "compaction" -> {
                var words = told(id, entry.text("summary"), type);
                if (words != null && branches.summarise(id, entry.text("firstKeptEntryId", ""), words)) {
                    yield null;
                }
                yield aside(type, line);
            }
            case "session_info" -> {
                name = entry.text("name", name == null ? "" : name);
                yield null;
            }
            case "model_change" -> {
                using(entry.text("provider"), entry.text("modelId"));
                yield aside(type, line);
            }
            default -> aside(type, line);
        };
    }

    private @Nullable Message message(Fields entry, ObjectNode line, String id) {
        var message = entry.object("message");
        if (message == null) {
            return aside("message", line);
        }
        var role = message.rest().path("role").asString("");
        if (role.equals("bashExecution")) {
            return message.is("excludeFromContext")
                    ? aside("bash", line)
                    : told(id, "$ " + message.text("command", "") + "\n" + message.text("output", ""), role);
        }
        var said = messages.message(message, last);
        if (said.reply() != null) {
            using(said.reply().provider(), said.reply().model());
        }
        return new Message(new MessageId(id), said.role(), said.at(), said.parts(), said.reply(), said.metadata());
    }

    /// The first model counts: the same whatever is added to the file later.
    private void using(@Nullable String itsProvider, @Nullable String itsModel) {
        if (model == null && itsModel != null) {
            provider = itsProvider;
            model = itsModel;
        }
    }

    /// Something that the model was told in the user's name.
    private @Nullable Message told(String id, @Nullable String text, String kind) {
        return text == null || text.isBlank()
                ? null
                : new Message(
                        new MessageId(id),
                        Role.USER,
                        last,
                        List.of(new Part.Text(text)),
                        null,
                        Map.of("kind", StringNode.valueOf(kind)));
    }

    private @Nullable Message aside(String type, ObjectNode line) {
        branches.note(Kept.event(last, "pi_" + type, line));
        return null;
    }
}

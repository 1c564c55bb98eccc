package dev.skein.exchange.imports;

import dev.skein.exchange.history.History;
import dev.skein.session.Formation;
import dev.skein.session.Lifetime;
import dev.skein.session.LoopId;
import dev.skein.session.SessionId;
import dev.skein.session.SessionSettings;
import dev.skein.session.SpawnRef;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// `<session>.json` of phi-core: a session of loops with their tree, sub-agents, parallel groups and compaction. Loop
/// ids
/// are kept, however odd, because all of these refer to them.
///
/// There is a second, older sort of file: a bare list of messages.
final class PhiFile {

    private PhiFile() {}

    static boolean isOne(JsonNode root) {
        return root.has("session_id") && root.path("loops").isArray();
    }

    static boolean isList(JsonNode root) {
        return root.isArray() && root.path(0).has("role") && root.path(0).has("content");
    }

    static ForeignSession read(Fields file, SourceFile source) {
        var id = file.requiredText("session_id");
        var createdAt = file.time("created_at", source.modifiedAt());
        var history = new PhiHistory(ForeignSession.ids(Tool.PHI_CORE, id, createdAt), createdAt);
        var loops = file.objects("loops");
        history.addAll(loops);
        var session = ForeignSession.named(Tool.PHI_CORE, source, id)
                .formedBy(formation(file.object("formation")))
                .lasting("ephemeral".equals(file.text("scope")) ? Lifetime.EPHEMERAL : Lifetime.PERSISTENT);
        var spawn = spawn(file.object("parent_spawn_ref"));
        if (spawn != null) {
            session = session.spawnedBy(spawn);
        }
        // It follows from the loops.
        file.drop("last_active_at");
        return ForeignSession.of(
                Tool.PHI_CORE, session.withMetadata(file.metadata()).withEvents(history.events()), createdAt);
    }

    static ForeignSession readList(JsonNode root, SourceFile source) {
        var id = source.path().toString();
        var ids = ForeignSession.ids(Tool.PHI_CORE, id, source.modifiedAt());
        var messages = new PhiMessages(ids);
        var history = new History(source.modifiedAt(), ids, SessionSettings.NONE);
        var place = 0;
        for (var item : root.values()) {
            var message = Fields.of(item, source.name(), "message " + ++place);
            if (PhiMessages.isNote(message)) {
                history.note(Kept.event(source.modifiedAt(), "phi_extension", item));
            } else {
                history.say(List.of(messages.message(message, source.modifiedAt())));
            }
        }
        var session = ForeignSession.named(Tool.PHI_CORE, source, id)
                .named(ForeignSession.alias(source.stem()))
                .withEvents(history.events());
        return ForeignSession.of(Tool.PHI_CORE, session, source.modifiedAt());
    }

    private static Formation formation(@Nullable Fields formation) {
        if (formation != null && formation.has("FirstLoop")) {
            return new Formation.FirstLoop();
        }
        var timeout = formation == null ? null : formation.object("InactivityTimeout");
        if (timeout == null) {
            return new Formation.Explicit();
        }
        var previous = timeout.text("previous_session_id");
        return new Formation.InactivityTimeout(
                timeout.count("threshold_secs"),
                previous == null ? null : SessionId.parse(previous).orElse(null));
    }

    private static @Nullable SpawnRef spawn(@Nullable Fields ref) {
        var parent = ref == null
                ? null
                : SessionId.parse(ref.requiredText("parent_session_id")).orElse(null);
        return ref == null || parent == null
                ? null
                : new SpawnRef(
                        parent,
                        new LoopId(ref.requiredText("parent_loop_id")),
                        ref.text("tool_call_id", ""),
                        ref.text("tool_name", ""));
    }
}

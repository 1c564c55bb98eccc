package dev.skein.exchange.imports;

import dev.skein.exchange.export.SessionExport;
import dev.skein.failure.UnreadableImport;
import dev.skein.session.Entry;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopStatus;
import dev.skein.session.Session;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionEvent.SessionOpened;
import dev.skein.wire.EventCodec;
import dev.skein.wire.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What `skein session export --format json` wrote. A fork comes with all it had of its parent and stands on its own.
///
/// A file is no person: what it says was asked and allowed is kept, but counts for nothing, and what had not ended is
/// aborted.
final class SkeinFile {

    /// What the type of an event that counts for nothing begins with.
    static final String REPLACED = "imported_";

    private SkeinFile() {}

    static boolean isOne(JsonNode root) {
        return root.has("format")
                && root.path("session").isObject()
                && root.path("events").isArray();
    }

    static ForeignSession read(Fields file, SourceFile source) {
        var format = file.count("format");
        if (format > SessionExport.FORMAT) {
            throw new UnreadableImport(
                    source.name(),
                    "has format " + format + ", which is newer than this program's " + SessionExport.FORMAT);
        }
        var events = new ArrayList<SessionEvent>();
        SessionOpened own = null;
        for (var item : file.list("events")) {
            var event = event(item, source);
            if (event instanceof SessionOpened opened) {
                own = opened;
            }
            if (events.isEmpty() && !(event instanceof SessionOpened)) {
                throw new UnreadableImport(source.name(), "does not begin with session_opened");
            }
            events.add(event);
        }
        if (own == null) {
            throw new UnreadableImport(source.name(), "has no events");
        }
        return read(own, events, source);
    }

    private static ForeignSession read(SessionOpened own, List<SessionEvent> events, SourceFile source) {
        var entries = new ArrayList<Entry>();
        entries.add(Entry.of(1, own));
        events.subList(1, events.size()).forEach(event -> entries.add(Entry.of(entries.size() + 1, harmless(event))));
        var state = Session.replay(entries).state();
        for (var open : state.open()) {
            var ended = new LoopEvent.LoopEnded(
                    state.lastActivityAt(),
                    open.loop(),
                    LoopStatus.ABORTED,
                    "had not ended when it was imported",
                    null,
                    null);
            entries.add(Entry.of(entries.size() + 1, ended));
        }
        var session = ForeignSession.named(Tool.SKEIN, source, own.session().toString())
                .named(state.alias())
                .formedBy(own.formation())
                .withMetadata(own.metadata())
                .withEvents(entries.stream().skip(1).map(Entry::event).toList());
        if (state.autoname()) {
            session = session.autonamed();
        }
        if (own.spawn() != null) {
            session = session.spawnedBy(own.spawn());
        }
        return ForeignSession.of(Tool.SKEIN, session, entries.getFirst().event().at());
    }

    private static SessionEvent event(@Nullable JsonNode item, SourceFile source) {
        if (!(item instanceof ObjectNode body) || !body.path("type").isString()) {
            throw new UnreadableImport(source.name(), "has an event that is none");
        }
        var bare = Json.MAPPER.createObjectNode();
        bare.setAll(body);
        bare.remove("seq");
        var decoded = EventCodec.decode(bare);
        return decoded.raw() == null || decoded.event() instanceof SessionOpened
                ? decoded.event()
                : new SessionEvent.Opaque(
                        decoded.event().at(), bare.path("type").asString(""), bare);
    }

    /// Keeps its place, since others refer to it by number.
    private static SessionEvent harmless(SessionEvent event) {
        return switch (event) {
            case SessionOpened _, LoopEvent.ApprovalRequested _, LoopEvent.ApprovalGiven _ -> kept(event);
            case SessionEvent.Opaque opaque when opaque.type().startsWith("approval_") -> kept(event);
            default -> event;
        };
    }

    private static SessionEvent kept(SessionEvent event) {
        return Kept.event(event.at(), REPLACED + EventCodec.typeOf(event), EventCodec.tree(event, null));
    }
}

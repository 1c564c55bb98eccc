package dev.skein.exchange.imports;

import dev.skein.exchange.history.History;
import dev.skein.message.Message;
import dev.skein.message.Role;
import dev.skein.message.Usage;
import dev.skein.session.ChildLoopRef;
import dev.skein.session.CompactionBlock;
import dev.skein.session.CompactionBlock.BlockPointer;
import dev.skein.session.CompactionBlock.KeptTurns;
import dev.skein.session.Continuation;
import dev.skein.session.Ids;
import dev.skein.session.LoopConfigSnapshot;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.session.LoopPointer;
import dev.skein.session.LoopStatus;
import dev.skein.session.OwnNames;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.session.Trigger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The loops of a phi-core session as events.
///
/// Messages are taken from a loop's messages; where there are none, from its turns, or from its events. Events that say
/// nothing beyond that are left out, all others are kept as they were. A loop that had not ended is aborted here.
///
/// Not safe for use by several threads.
final class PhiHistory {

    /// What these say stands in the loop's own fields.
    private static final Set<String> REPEATS = Set.of(
            "AgentStart",
            "AgentEnd",
            "TurnStart",
            "TurnEnd",
            "MessageStart",
            "MessageUpdate",
            "MessageEnd",
            "ToolExecutionEnd");

    private final PhiMessages messages;
    private final Ids ids;
    private final Instant createdAt;
    private final List<SessionEvent> events = new ArrayList<>();
    private final Map<LoopId, LoopPointer> started = new HashMap<>();
    private @Nullable BlockPointer newestBlock;

    PhiHistory(Ids ids, Instant createdAt) {
        this.messages = new PhiMessages(ids);
        this.ids = ids;
        this.createdAt = createdAt;
    }

    List<SessionEvent> events() {
        return events;
    }

    void addAll(List<Fields> loops) {
        var present = new HashSet<LoopId>();
        loops.forEach(loop -> present.add(id(loop)));
        var left = new HashMap<PhiGroup, Integer>();
        for (var loop : loops) {
            var group = PhiGroup.of(loop, present);
            if (group != null && !left.containsKey(group)) {
                left.put(group, group.members().size());
                events.add(new SessionEvent.ParallelStarted(startedAt(loop), group.members(), parent(loop)));
            }
            add(loop);
            if (group != null && left.merge(group, -1, Integer::sum) == 0) {
                events.add(group.ended(lastTime()));
            }
        }
    }

    private static LoopId id(Fields loop) {
        var id = loop.rest().path("loop_id").asString("");
        return new LoopId(id.isBlank() ? "?" : id);
    }

    private Instant startedAt(Fields loop) {
        return Fields.of(loop.rest(), loop.source(), "a loop").time("started_at", createdAt);
    }

    private Instant lastTime() {
        return events.isEmpty() ? createdAt : events.getLast().at();
    }

    private @Nullable LoopPointer parent(Fields loop) {
        var parent = loop.rest().path("parent_loop_id");
        return parent.isString() && !parent.asString().isBlank() ? started.get(new LoopId(parent.asString())) : null;
    }

    private void add(Fields loop) {
        var parent = parent(loop);
        var id = new LoopId(loop.requiredText("loop_id"));
        var parentId = loop.text("parent_loop_id");
        var start = loop.time("started_at", createdAt);
        var end = loop.time("ended_at", start);
        var config = config(loop.object("config"));
        var pointer = new LoopPointer(id, History.SEQ_FIRST + events.size());
        started.putIfAbsent(id, pointer);
        var kind = continuation(loop.take("continuation_kind"), parent);
        var said = loop.objects("messages");
        var turns = loop.objects("turns");
        var recorded = loop.objects("events");
        var children = loop.objects("child_loop_refs");
        var block = loop.object("compaction_block");
        var status = loop.text("status", "");
        var rejection = loop.text("rejection");
        var used = loop.object("usage");
        // They follow from the loops themselves.
        loop.drop("session_id", "children_loop_ids");
        var agent = loop.text("agent_id");
        events.add(new LoopEvent.LoopStarted(
                start,
                id,
                parentId == null || parentId.isBlank() ? null : new LoopId(parentId),
                parent == null ? null : parent.seq(),
                kind,
                trigger(turns, recorded),
                agent,
                config,
                metadata(loop)));
        new PhiTurns(this, id, start, turns).tell(PhiTurns.messagesOf(said, turns, recorded));
        children.forEach(child -> spawned(id, start, child));
        recorded.forEach(event -> keep(start, id, event));
        events.add(new LoopEvent.LoopEnded(
                end,
                id,
                status(status),
                reason(status, rejection),
                used == null ? null : PhiMessages.usage(used),
                null));
        compact(pointer, end, block);
    }

    PhiMessages messages() {
        return messages;
    }

    void note(SessionEvent event) {
        events.add(event);
    }

    private static Map<String, JsonNode> metadata(Fields loop) {
        var metadata = new LinkedHashMap<String, JsonNode>();
        var given = loop.take("metadata");
        if (given != null && given.isObject()) {
            given.asObject().forEachEntry(metadata::put);
        } else if (given != null) {
            metadata.put("metadata", given);
        }
        metadata.putAll(loop.metadata());
        return OwnNames.imported(metadata);
    }

    private static Trigger trigger(List<Fields> turns, List<Fields> recorded) {
        var first = turns.isEmpty()
                ? ""
                : turns.getFirst().rest().path("triggered_by").asString("");
        for (var event : recorded) {
            if (first.isEmpty()) {
                first = event.rest().path("event").path("triggered_by").asString("");
            }
        }
        return trigger(first);
    }

    static Trigger trigger(String name) {
        return switch (name) {
            case "SubAgent" -> Trigger.SUB_AGENT;
            case "Continuation", "FollowUp" -> Trigger.CONTINUATION;
            case "Branch" -> Trigger.BRANCH;
            default -> Trigger.USER;
        };
    }

    private static Continuation continuation(@Nullable JsonNode kind, @Nullable LoopPointer parent) {
        var name = kind == null ? "" : kind.asString("");
        if (kind != null && kind.isObject()) {
            if (kind.has("Rerun")) {
                return new Continuation(
                        Continuation.Kind.RERUN, kind.path("Rerun").path("tag").asString(null));
            }
            return new Continuation(
                    Continuation.Kind.BRANCH, kind.path("Branch").path("tag").asString(null));
        }
        return switch (name) {
            case "Default" -> Continuation.DEFAULT;
            case "Compaction" -> Continuation.COMPACTION;
            case "Initial" -> Continuation.INITIAL;
            default -> parent == null ? Continuation.INITIAL : Continuation.DEFAULT;
        };
    }

    private static @Nullable LoopConfigSnapshot config(@Nullable Fields config) {
        return config == null
                ? null
                : new LoopConfigSnapshot(
                        config.text("model", "unknown"),
                        config.text("provider", "unknown"),
                        config.text("config_id"),
                        config.text("name"),
                        config.text("api"),
                        config.text("base_url"),
                        config.has("reasoning") ? config.is("reasoning") : null,
                        config.number("context_window"),
                        config.number("max_tokens"),
                        config.text("thinking_level"),
                        config.decimal("temperature"),
                        null);
    }

    private void spawned(LoopId loop, Instant at, Fields child) {
        var session = SessionId.parse(child.requiredText("child_session_id"));
        session.ifPresent(id -> events.add(new LoopEvent.ChildSpawned(
                at,
                loop,
                new ChildLoopRef(
                        child.text("tool_call_id", ""),
                        child.text("tool_name", ""),
                        new LoopId(child.requiredText("child_loop_id")),
                        id))));
    }

    private void keep(Instant at, LoopId loop, Fields recorded) {
        var event = recorded.rest().path("event");
        var type = event.path("type").asString("");
        if (event.isObject() && !REPEATS.contains(type)) {
            var time = Fields.of(event, recorded.source(), "an event").time("timestamp", at);
            switch (type) {
                case "InputRejected" ->
                    events.add(new LoopEvent.InputRejected(
                            time, loop, event.path("reason").asString("")));
                default -> events.add(Kept.event(time, "phi_" + type, event));
            }
        }
    }

    private static LoopStatus status(String status) {
        return switch (status) {
            case "Completed" -> LoopStatus.COMPLETED;
            case "Rejected" -> LoopStatus.REJECTED;
            default -> LoopStatus.ABORTED;
        };
    }

    private static @Nullable String reason(String status, @Nullable String rejection) {
        return switch (status) {
            case "Pending", "Running" -> "had not ended when it was imported";
            default -> rejection;
        };
    }

    private void compact(LoopPointer loop, Instant at, @Nullable Fields block) {
        if (block == null) {
            return;
        }
        var summary = block.object("keep_compacted");
        var range = summary == null ? null : summary.object("range");
        if (summary == null || range == null) {
            events.add(Kept.event(at, "phi_compaction_block", block.rest()));
            return;
        }
        var kept = new ArrayList<KeptTurns>();
        var first = block.object("keep_first");
        if (first != null) {
            kept.add(new KeptTurns(loop, (int) first.count("startTurn"), (int) first.count("endTurn")));
        }
        var words = new ArrayList<Message>();
        summary.objects("messages").forEach(message -> words.add(messages.message(message, at)));
        var id = ids.message().text();
        var set = new CompactionBlock(
                id, loop, loop, (int) range.count("endTurn"), kept, words, block.time("createdAt", at), newestBlock);
        newestBlock = new BlockPointer(id, History.SEQ_FIRST + events.size());
        events.add(new SessionEvent.CompactionBlockSet(at, set));
    }

    /// What an answer used; nothing if it is none.
    static Usage used(Message message) {
        var reply = message.role() == Role.ASSISTANT ? message.reply() : null;
        return reply == null || reply.usage() == null ? Usage.NONE : reply.usage();
    }
}

package dev.skein.engine.agent;

import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.ToolCallId;
import dev.skein.session.ChildLoopRef;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.session.LoopPointer;
import dev.skein.session.LoopRecord;
import dev.skein.session.Trigger;
import dev.skein.store.SessionHandle;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Who works for a loop, as its journal tells: whom it started and with which call, whose end the model knows of
/// already, and what a person decided for them.
///
/// A loop that takes an earlier one further takes over those who worked for it.
///
/// @param settled the sub-agents' loops that came to an end which the model was told
record Kin(
        Map<LoopId, Hired> children,
        Map<String, Part.ToolCall> calls,
        Set<LoopId> settled,
        Map<ToolCallId, LoopEvent.ApprovalGiven> decided) {

    /// Somebody who works for a loop.
    record Hired(ChildLoopRef link, LoopId by) {}

    /// Where the data of a tool result, or the metadata of a message, has whose end it tells.
    static final String SETTLED = "settled_agents";

    static Kin of(SessionHandle session, LoopPointer pointer) {
        var kin = new Kin(new LinkedHashMap<>(), new HashMap<>(), new HashSet<>(), new HashMap<>());
        var next = pointer;
        while (next != null) {
            var loop = session.loop(next).orElse(null);
            if (loop == null) {
                break;
            }
            kin.add(loop);
            next = loop.trigger() == Trigger.CONTINUATION ? loop.parentPointer() : null;
        }
        return kin;
    }

    private void add(LoopRecord loop) {
        for (var entry : loop.events()) {
            switch (entry.event()) {
                case LoopEvent.ChildSpawned spawned ->
                    children.putIfAbsent(
                            spawned.child().loop(), new Hired(spawned.child(), spawned.loop()));
                case LoopEvent.ApprovalGiven given -> decided.putIfAbsent(given.call(), given);
                case LoopEvent.ToolFinished finished -> settle(finished.result().data());
                case LoopEvent.MessageEnded ended -> add(ended.message());
                default -> {}
            }
        }
    }

    private void add(Message message) {
        message.toolCalls().forEach(call -> calls.put(call.id().text(), call));
        settle(message.metadata().get(SETTLED));
        message.toolResults().forEach(result -> settle(result.data()));
    }

    private void settle(@Nullable JsonNode told) {
        if (told != null) {
            var list = told.isArray() ? told : told.path(SETTLED);
            list.valueStream().forEach(loop -> settled.add(new LoopId(loop.asString(""))));
        }
    }
}

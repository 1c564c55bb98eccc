package dev.skein.engine.household;

import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.ToolCallId;
import dev.skein.session.ChildLoopRef;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.session.LoopPointer;
import dev.skein.session.LoopRecord;
import dev.skein.session.OwnNames;
import dev.skein.session.Trigger;
import dev.skein.store.SessionHandle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Who works for a loop, as its journal tells: whom it started and with which call, whose end the model knows of
/// already, and what a person decided for them.
///
/// A loop that takes an earlier one further takes over those who worked for it.
///
/// @param told the calls that told a sub-agent at work something
/// @param settled the sub-agents' loops that came to an end which the model was told
record Kin(
        Map<LoopId, Hired> children,
        Map<String, Part.ToolCall> calls,
        Set<LoopId> settled,
        Map<LoopId, List<Part.ToolCall>> told,
        Map<ToolCallId, LoopEvent.ApprovalGiven> decided) {

    /// Somebody who works for a loop.
    record Hired(ChildLoopRef link, LoopId by) {}

    /// Where the data of a tool result, or the metadata of a message, has whose end it tells.
    static final String SETTLED = OwnNames.SETTLED;

    /// Where the data of a tool result has whom it told something.
    static final String TOLD = "told_agent";

    static Kin of(SessionHandle session, LoopPointer pointer) {
        var loops = new ArrayList<LoopRecord>();
        var next = pointer;
        while (next != null) {
            var loop = session.loop(next).orElse(null);
            if (loop == null) {
                break;
            }
            loops.add(loop);
            next = loop.trigger() == Trigger.CONTINUATION ? loop.parentPointer() : null;
        }
        var kin = new Kin(
                new LinkedHashMap<>(), new HashMap<>(), new HashSet<>(), new LinkedHashMap<>(), new HashMap<>());
        loops.reversed().forEach(kin::add);
        return kin;
    }

    private void add(LoopRecord loop) {
        for (var entry : loop.events()) {
            switch (entry.event()) {
                case LoopEvent.ChildSpawned spawned ->
                    children.putIfAbsent(spawned.child().loop(), new Hired(spawned.child(), spawned.loop()));
                case LoopEvent.ApprovalGiven given -> decided.put(given.call(), given);
                case LoopEvent.ToolFinished finished -> {
                    settle(finished.result().data());
                    tell(finished.result());
                }
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

    private void tell(Part.ToolResult result) {
        var to = result.data() == null ? "" : result.data().path(TOLD).asString("");
        var call = calls.get(result.call().text());
        if (!to.isEmpty() && call != null) {
            told.computeIfAbsent(new LoopId(to), _ -> new ArrayList<>()).add(call);
        }
    }

    private void settle(@Nullable JsonNode told) {
        if (told != null) {
            var list = told.isArray() ? told : told.path(SETTLED);
            list.valueStream().forEach(loop -> settled.add(new LoopId(loop.asString(""))));
        }
    }
}

package dev.skein.engine;

import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopRecord;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The calls of a loop's last reply that have no result yet, and what the journal knows about each.
///
/// `started` were begun and not finished, which after a crash means that nobody knows how they ended. `decided` are a
/// person's answers.
record PendingCalls(
        List<Part.ToolCall> calls, Set<ToolCallId> started, Map<ToolCallId, LoopEvent.ApprovalGiven> decided) {

    static final PendingCalls NONE = new PendingCalls(List.of(), Set.of(), Map.of());

    static PendingCalls in(LoopRecord loop) {
        var started = new HashSet<ToolCallId>();
        var decided = new HashMap<ToolCallId, LoopEvent.ApprovalGiven>();
        for (var entry : loop.events()) {
            if (entry.event() instanceof LoopEvent.ToolStarted event) {
                started.add(event.call());
            } else if (entry.event() instanceof LoopEvent.ApprovalGiven event) {
                decided.put(event.call(), event);
            }
        }
        return new PendingCalls(unanswered(loop.messages()), started, decided);
    }

    /// A reply whose calls the journal knows nothing about yet.
    static PendingCalls of(Message reply) {
        return new PendingCalls(reply.toolCalls(), Set.of(), Map.of());
    }

    private static List<Part.ToolCall> unanswered(List<Message> messages) {
        var answered = new HashSet<ToolCallId>();
        for (var message : messages.reversed()) {
            if (message.role() == Role.TOOL) {
                message.toolResults().forEach(result -> answered.add(result.call()));
            } else if (message.role() == Role.ASSISTANT) {
                return message.toolCalls().stream()
                        .filter(call -> !answered.contains(call.id()))
                        .toList();
            }
        }
        return List.of();
    }
}

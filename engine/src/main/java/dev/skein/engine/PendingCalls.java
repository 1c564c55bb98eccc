package dev.skein.engine;

import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.message.Usage;
import dev.skein.session.ChildLoopRef;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopRecord;
import dev.skein.tool.ToolOutcome.Waits.Ask;
import dev.skein.tool.ToolRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.NullNode;

/// The calls of a loop's last reply that have no result yet, and what the journal knows about each.
///
/// `started` were begun and not finished, which after a crash means that nobody knows how they ended. `decided` are a
/// person's answers, `children` the sub-agents that calls have started. `used` is what the reply had cost in tokens,
/// which no ended turn has counted yet.
record PendingCalls(
        List<Part.ToolCall> calls,
        Usage used,
        Set<ToolCallId> started,
        Map<ToolCallId, LoopEvent.ApprovalGiven> decided,
        Map<ToolCallId, ChildLoopRef> children) {

    static final PendingCalls NONE = new PendingCalls(List.of(), Usage.NONE, Set.of(), Map.of(), Map.of());

    static PendingCalls in(LoopRecord loop) {
        var started = new HashSet<ToolCallId>();
        var decided = new HashMap<ToolCallId, LoopEvent.ApprovalGiven>();
        var children = new HashMap<ToolCallId, ChildLoopRef>();
        for (var entry : loop.events()) {
            switch (entry.event()) {
                case LoopEvent.ToolStarted event -> started.add(event.call());
                case LoopEvent.ApprovalGiven event -> {
                    decided.put(event.call(), event);
                    // What waited for that in the middle was not interrupted: it is to be taken up again.
                    Ask.asker(event.call()).ifPresent(started::remove);
                }
                case LoopEvent.ChildSpawned event ->
                    children.put(new ToolCallId(event.child().toolCall()), event.child());
                default -> {}
            }
        }
        return new PendingCalls(unanswered(loop.messages()), used(loop.messages()), started, decided, children);
    }

    /// A reply whose calls the journal knows nothing about yet.
    static PendingCalls of(Message reply) {
        return new PendingCalls(reply.toolCalls(), Usage.NONE, Set.of(), Map.of(), Map.of());
    }

    /// What was decided in the middle of a call, in the order it was asked.
    List<ToolRequest.Answer> answers(ToolCallId call) {
        var answers = new ArrayList<ToolRequest.Answer>();
        for (var number = 1; ; number++) {
            var given = decided.get(Ask.inTheMiddleOf(call, number, "", NullNode.getInstance(), null)
                    .call());
            if (given == null) {
                return answers;
            }
            answers.add(new ToolRequest.Answer(given.approved(), given.note()));
        }
    }

    private static Usage used(List<Message> messages) {
        return messages.reversed().stream()
                .filter(message -> message.role() == Role.ASSISTANT)
                .findFirst()
                .flatMap(message -> Optional.ofNullable(message.reply()))
                .flatMap(reply -> Optional.ofNullable(reply.usage()))
                .orElse(Usage.NONE);
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

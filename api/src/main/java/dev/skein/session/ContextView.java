package dev.skein.session;

import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.session.CompactionBlock.BlockPointer;
import dev.skein.session.LoopRecord.Said;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a model gets to see of a session: the messages from the root to the head, summaries in place of what
/// they cover, cut to the newest so many.
///
/// The cut never separates a tool call from its results: a view never starts with a result. A call whose
/// result was never recorded gets one that says so, because providers refuse a call without an answer.
/// Building a view reads only as many loops as it shows, from the head backwards.
public record ContextView(List<Message> messages) {

    /// No cut.
    public static final int ALL = Integer.MAX_VALUE;

    public ContextView {
        messages = List.copyOf(messages);
    }

    /// The view from the head of the session in this state.
    public static ContextView of(LoopSource source, SessionState state, int messagesMax) {
        if (messagesMax < 1) {
            throw new IllegalArgumentException("a view needs room for at least one message: " + messagesMax);
        }
        var newestFirst = new Walk(source, state, messagesMax).newestFirst();
        return new ContextView(answered(cut(newestFirst.reversed(), messagesMax)));
    }

    private static List<Message> cut(List<Message> messages, int max) {
        var first = Math.max(0, messages.size() - max);
        while (first < messages.size() && messages.get(first).role() == Role.TOOL) {
            first++;
        }
        return messages.subList(first, messages.size());
    }

    private static List<Message> answered(List<Message> messages) {
        var complete = new ArrayList<Message>(messages.size());
        for (int i = 0; i < messages.size(); i++) {
            var message = messages.get(i);
            complete.add(message);
            if (message.role() != Role.ASSISTANT || message.toolCalls().isEmpty()) {
                continue;
            }
            var given = new HashSet<>();
            while (i + 1 < messages.size() && messages.get(i + 1).role() == Role.TOOL) {
                var result = messages.get(++i);
                complete.add(result);
                result.toolResults().forEach(part -> given.add(part.call()));
            }
            for (var call : message.toolCalls()) {
                if (!given.contains(call.id())) {
                    complete.add(unknownOutcome(message, call));
                }
            }
        }
        return complete;
    }

    private static Message unknownOutcome(Message asking, Part.ToolCall call) {
        var text = "The run was interrupted before this call's outcome was recorded. It may or may not have happened.";
        var result = new Part.ToolResult(call.id(), call.name(), List.of(new Part.Text(text)), true, null);
        return Message.of(new MessageId("interrupted-" + call.id()), Role.TOOL, asking.at(), new Part[] {result});
    }

    /// Goes from the head towards the root, collecting messages newest first until there are enough.
    private static final class Walk {

        private final LoopSource source;
        private final SessionState state;
        private final int enough;
        private final List<Message> collected = new ArrayList<>();
        private @Nullable CompactionBlock block;

        Walk(LoopSource source, SessionState state, int enough) {
            this.source = source;
            this.state = state;
            this.enough = enough;
            this.block = lookUp(state.compaction());
        }

        List<Message> newestFirst() {
            var at = state.head();
            while (at != null && collected.size() < enough) {
                var loop = source.loop(at);
                if (loop == null) {
                    break;
                }
                while (block != null && block.until().seq() > loop.pointer().seq()) {
                    block = lookUp(block.previous());
                }
                at = block != null && block.until().loop().equals(loop.id()) ? over(block, loop) : through(loop);
            }
            return collected;
        }

        private @Nullable LoopPointer through(LoopRecord loop) {
            collect(loop.said().reversed());
            return loop.parentPointer();
        }

        /// Shows a block in place of what it covers, and goes on before it.
        private @Nullable LoopPointer over(CompactionBlock covering, LoopRecord loop) {
            var untilTurn = covering.untilTurn();
            if (untilTurn != null) {
                collect(loop.said().reversed().stream()
                        .filter(said -> said.turn() > untilTurn)
                        .toList());
            }
            collected.addAll(covering.messages().reversed());
            for (var kept : covering.kept().reversed()) {
                var source = this.source.loop(kept.loop());
                if (source != null) {
                    collect(source.said().reversed().stream()
                            .filter(said -> said.turn() >= kept.first() && said.turn() <= kept.last())
                            .toList());
                }
            }
            block = lookUp(covering.previous());
            var from = covering.from() == null ? null : source.loop(covering.from());
            return from == null ? null : from.parentPointer();
        }

        private void collect(List<Said> newestFirst) {
            newestFirst.forEach(said -> collected.add(said.message()));
        }

        private @Nullable CompactionBlock lookUp(@Nullable BlockPointer pointer) {
            var at = pointer;
            while (at != null) {
                var found = source.block(at);
                if (found == null || !state.removedBlocks().contains(found.id())) {
                    return found;
                }
                at = found.previous();
            }
            return null;
        }
    }
}

package dev.skein.session;

import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.session.CompactionBlock.BlockPointer;
import dev.skein.session.LoopRecord.Said;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a model gets to see of a session: the messages from the root to the head, summaries in place of what
/// they cover, cut to the newest so many.
///
/// The cut never separates a tool call from its results: a view never starts with a result. It is longer than
/// asked for only if the newest call alone has more results than that. A call whose result was never recorded
/// gets one that says so, because providers refuse a call without an answer. Building a view reads only as many loops
/// as it shows, from the head backwards.
public record ContextView(List<Shown> shown) {

    /// No cut.
    public static final int ALL = Integer.MAX_VALUE;

    public ContextView {
        shown = List.copyOf(shown);
    }

    /// A message and the turn it was said in; `loop` is null for a summary.
    public record Shown(Message message, @Nullable LoopPointer loop, int turn) {

        private Role role() {
            return message.role();
        }
    }

    public List<Message> messages() {
        return shown.stream().map(Shown::message).toList();
    }

    /// The view from the head of the session in this state.
    public static ContextView of(LoopSource source, SessionState state, int messagesMax) {
        return from(state.head(), source, state, messagesMax);
    }

    /// The view from another loop, as if that were the head; an empty one from null.
    public static ContextView from(@Nullable LoopPointer loop, LoopSource source, SessionState state, int messagesMax) {
        if (messagesMax < 1) {
            throw new IllegalArgumentException("a view needs room for at least one message: " + messagesMax);
        }
        var newestFirst = new Walk(source, state, messagesMax).newestFirst(loop);
        return new ContextView(cut(answered(newestFirst.reversed()), messagesMax));
    }

    /// The newest `max`, less any results at their beginning. If nothing else is left, the newest call with all
    /// its results.
    private static List<Shown> cut(List<Shown> messages, int max) {
        var first = Math.max(0, messages.size() - max);
        while (first < messages.size() && messages.get(first).role() == Role.TOOL) {
            first++;
        }
        if (first == messages.size()) {
            while (first > 0 && messages.get(first - 1).role() == Role.TOOL) {
                first--;
            }
            first = Math.max(0, first - 1);
        }
        return messages.subList(first, messages.size());
    }

    /// The same messages with each call's result right behind it, in the order asked: results that came later are
    /// moved there, missing ones made up, and those that nobody asked for, or twice, left out.
    private static List<Shown> answered(List<Shown> messages) {
        var complete = new ArrayList<Shown>(messages.size());
        for (int i = 0; i < messages.size(); i++) {
            var message = messages.get(i);
            if (message.role() != Role.TOOL) {
                complete.add(message);
            }
            if (message.role() == Role.ASSISTANT) {
                addResults(message, resultsAfter(messages, i), complete);
            }
        }
        return complete;
    }

    /// The results between an assistant message and the next one, by call. The first one counts.
    private static Map<ToolCallId, Shown> resultsAfter(List<Shown> messages, int asking) {
        var results = new HashMap<ToolCallId, Shown>();
        for (int i = asking + 1; i < messages.size() && messages.get(i).role() != Role.ASSISTANT; i++) {
            var message = messages.get(i);
            if (message.role() == Role.TOOL) {
                message.message().toolResults().forEach(result -> results.putIfAbsent(result.call(), message));
            }
        }
        return results;
    }

    private static void addResults(Shown asking, Map<ToolCallId, Shown> results, List<Shown> complete) {
        var added = new HashSet<MessageId>();
        var answered = new HashSet<ToolCallId>();
        for (var call : asking.message().toolCalls()) {
            var result = results.get(call.id());
            if (!answered.add(call.id())) {
                continue;
            }
            if (result == null) {
                complete.add(unknownOutcome(asking, call));
            } else if (added.add(result.message().id())) {
                complete.add(result);
            }
        }
    }

    private static Shown unknownOutcome(Shown asking, Part.ToolCall call) {
        var text = "The run was interrupted before this call's outcome was recorded. It may or may not have happened.";
        var result = new Part.ToolResult(call.id(), call.name(), List.of(new Part.Text(text)), true, null);
        var message = Message.of(
                new MessageId("interrupted-" + call.id()),
                Role.TOOL,
                asking.message().at(),
                new Part[] {result});
        return new Shown(message, asking.loop(), asking.turn());
    }

    /// Goes from the head towards the root, collecting messages newest first until there are enough.
    ///
    /// Every step leads to a smaller sequence number, so that no record, however wrong, makes it go in circles.
    private static final class Walk {

        private final LoopSource source;
        private final SessionState state;
        private final int enough;
        private final List<Shown> collected = new ArrayList<>();
        private final Map<LoopId, CompactionBlock> blocks = new HashMap<>();
        private @Nullable BlockPointer nextBlock;

        Walk(LoopSource source, SessionState state, int enough) {
            this.source = source;
            this.state = state;
            this.enough = enough;
            this.nextBlock = state.compaction();
        }

        List<Shown> newestFirst(@Nullable LoopPointer start) {
            var at = start;
            while (at != null && (collected.size() < enough || beginsWithResult())) {
                var loop = source.loop(at);
                if (loop == null) {
                    break;
                }
                var block = blockOver(loop);
                var next = block == null ? through(loop) : over(block, loop);
                at = next != null && next.seq() < loop.pointer().seq() ? next : null;
            }
            return collected;
        }

        /// Then the call lies further back.
        private boolean beginsWithResult() {
            return collected.getLast().role() == Role.TOOL;
        }

        private @Nullable LoopPointer through(LoopRecord loop) {
            collect(loop, loop.said().reversed());
            return loop.parentPointer();
        }

        /// Shows a block in place of what it covers, and goes on before it.
        private @Nullable LoopPointer over(CompactionBlock covering, LoopRecord loop) {
            var untilTurn = covering.untilTurn();
            if (untilTurn != null) {
                collect(
                        loop,
                        loop.said().reversed().stream()
                                .filter(said -> said.turn() > untilTurn)
                                .toList());
            }
            covering.messages().reversed().forEach(summary -> collected.add(new Shown(summary, null, 0)));
            for (var kept : covering.kept().reversed()) {
                var from = source.loop(kept.loop());
                if (from != null) {
                    collect(
                            from,
                            from.said().reversed().stream()
                                    .filter(said -> said.turn() >= kept.first() && said.turn() <= kept.last())
                                    .toList());
                }
            }
            var from = covering.from() == null ? null : source.loop(covering.from());
            return from == null ? null : from.parentPointer();
        }

        private void collect(LoopRecord loop, List<Said> newestFirst) {
            newestFirst.forEach(said -> collected.add(new Shown(said.message(), loop.pointer(), said.turn())));
        }

        /// The newest block that ends in this loop. It was set after the loop started, so older ones need not be
        /// read yet.
        private @Nullable CompactionBlock blockOver(LoopRecord loop) {
            while (nextBlock != null && nextBlock.seq() > loop.pointer().seq()) {
                var block = source.block(nextBlock);
                var previous = block == null ? null : block.previous();
                if (block != null && !state.removedBlocks().contains(block.id())) {
                    blocks.putIfAbsent(block.until().loop(), block);
                }
                nextBlock = previous != null && previous.seq() < nextBlock.seq() ? previous : null;
            }
            return blocks.get(loop.id());
        }
    }
}

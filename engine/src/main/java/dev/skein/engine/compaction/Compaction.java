package dev.skein.engine.compaction;

import dev.skein.cancellation.Cancellation;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.session.CompactionBlock;
import dev.skein.session.CompactionBlock.BlockPointer;
import dev.skein.session.CompactionBlock.KeptTurns;
import dev.skein.session.ContextView;
import dev.skein.session.Ids;
import dev.skein.session.LoopPointer;
import dev.skein.session.OwnNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// When and how a conversation is compacted: beyond `tokensMax` or beyond this share of what the model can read at once
/// (0 means never because of that), leaving the first and the last turns word for word. A turn is never split, so no
/// tool call loses its result.
public record Compaction(long tokensMax, double windowShare, int keepFirst, int keepLast, Summarizer summarizer) {

    /// Marks a message as a summary.
    public static final String SUMMARY = OwnNames.SUMMARY;

    /// The tool whose results are the todo list, and where a summary keeps the newest.
    private static final String PLAN = OwnNames.PLAN;

    public Compaction {
        if (tokensMax < 0 || windowShare < 0 || windowShare > 1 || keepFirst < 0 || keepLast < 1) {
            throw new IllegalArgumentException("keep at least the last turn, and nothing less than nothing");
        }
    }

    public Compaction(long tokensMax, int keepFirst, int keepLast, Summarizer summarizer) {
        this(tokensMax, 0, keepFirst, keepLast, summarizer);
    }

    /// Whether the conversation has grown beyond what is allowed.
    ///
    /// @param contextWindow how much the model can read, if that is known
    public boolean isDue(long tokens, OptionalLong contextWindow) {
        return (tokensMax > 0 && tokens > tokensMax)
                || (windowShare > 0 && contextWindow.isPresent() && tokens > windowShare * contextWindow.getAsLong());
    }

    /// The block that compacts this conversation, or empty if it is too short for one.
    ///
    /// @param view the whole conversation as a model would see it, earlier summaries included
    /// @param previous the newest block so far
    public Optional<CompactionBlock> blockFor(
            ContextView view, @Nullable BlockPointer previous, Ids ids, Instant now, Cancellation cancellation) {
        var turns = turnsOf(view);
        var kept = turns.stream()
                .takeWhile(turn -> turn.loop() != null)
                .limit(keepFirst)
                .toList();
        var covered = turns.subList(kept.size(), Math.max(kept.size(), turns.size() - keepLast));
        var last = covered.isEmpty() ? null : covered.getLast();
        if (last == null || last.loop() == null) {
            return Optional.empty();
        }
        var said = covered.stream().flatMap(turn -> turn.messages().stream()).toList();
        var metadata = new LinkedHashMap<String, JsonNode>();
        metadata.put(SUMMARY, JsonNodeFactory.instance.booleanNode(true));
        var words = new StringBuilder(summarizer.summarize(said, cancellation));
        todoList(said).ifPresent(todo -> {
            metadata.put(PLAN, todo);
            words.append("\nTodo list:\n").append(todo.path("text").asString(""));
        });
        var summary = new Message(
                ids.message(),
                Role.USER,
                now,
                List.of(new Part.Text("[Summary of the conversation so far]\n" + words)),
                null,
                metadata);
        return Optional.of(new CompactionBlock(
                ids.message().text(),
                null,
                last.loop(),
                last.number(),
                kept.stream()
                        .flatMap(turn -> turn.loop() == null
                                ? Stream.of()
                                : Stream.of(new KeptTurns(turn.loop(), turn.number(), turn.number())))
                        .toList(),
                List.of(summary),
                now,
                previous));
    }

    static boolean isSummary(Message message) {
        return message.metadata().containsKey(SUMMARY);
    }

    /// The newest state of the todo list, as its tool gave it or an earlier summary took it over. It is not a matter of
    /// opinion, so it is kept word for word, for the tool to find it as well.
    private static Optional<ObjectNode> todoList(List<Message> messages) {
        return messages.reversed().stream()
                .flatMap(message -> Stream.concat(
                        message.metadata().get(PLAN) instanceof ObjectNode taken ? Stream.of(taken) : Stream.of(),
                        message.toolResults().stream()
                                .filter(result -> result.name().equals(PLAN) && !result.isError())
                                .map(result -> JsonNodeFactory.instance
                                        .objectNode()
                                        .put("text", message.text())
                                        .set("data", result.data()))))
                .findFirst();
    }

    /// The messages of one turn, or a summary, which belongs to no loop.
    private record ShownTurn(@Nullable LoopPointer loop, int number, List<Message> messages) {}

    private static List<ShownTurn> turnsOf(ContextView view) {
        var turns = new ArrayList<ShownTurn>();
        for (var shown : view.shown()) {
            var last = turns.isEmpty() ? null : turns.getLast();
            if (last == null || !Objects.equals(last.loop(), shown.loop()) || last.number() != shown.turn()) {
                last = new ShownTurn(shown.loop(), shown.turn(), new ArrayList<>());
                turns.add(last);
            }
            last.messages().add(shown.message());
        }
        return turns;
    }
}

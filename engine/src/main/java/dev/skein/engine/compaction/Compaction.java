package dev.skein.engine.compaction;

import dev.skein.cancellation.Cancellation;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.session.CompactionBlock;
import dev.skein.session.CompactionBlock.KeptTurns;
import dev.skein.session.ContextView;
import dev.skein.session.Ids;
import dev.skein.session.LoopPointer;
import dev.skein.session.Session;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.JsonNodeFactory;

/// When and how a conversation is compacted: beyond `tokensMax` (0 means never by itself), leaving the first and the
/// last turns word for word. A turn is never split, so no tool call loses its result.
public record Compaction(long tokensMax, int keepFirst, int keepLast, Summarizer summarizer) {

    /// Marks a message as a summary.
    public static final String SUMMARY = "summary";

    public Compaction {
        if (tokensMax < 0 || keepFirst < 0 || keepLast < 1) {
            throw new IllegalArgumentException("keep at least the last turn, and nothing less than nothing");
        }
    }

    /// Whether the conversation has grown beyond what is allowed.
    public boolean isDue(long tokens) {
        return tokensMax > 0 && tokens > tokensMax;
    }

    /// The block that compacts this session's conversation, or empty if it is too short for one.
    public Optional<CompactionBlock> blockFor(Session session, Ids ids, Instant now, Cancellation cancellation) {
        var turns = turnsOf(session);
        var covered = turns.size() - keepLast;
        if (covered <= keepFirst) {
            return Optional.empty();
        }
        var view = session.context(ContextView.ALL).messages();
        var shownLater = turns.subList(covered, turns.size()).stream()
                .mapToInt(Place::messages)
                .sum();
        var keptFirst =
                turns.subList(0, keepFirst).stream().mapToInt(Place::messages).sum();
        if (view.size() - shownLater <= keptFirst) {
            return Optional.empty();
        }
        var words = summarizer.summarize(view.subList(keptFirst, view.size() - shownLater), cancellation);
        var summary = new Message(
                ids.message(),
                Role.USER,
                now,
                List.of(new Part.Text("[Summary of the conversation so far]\n" + words)),
                null,
                Map.of(SUMMARY, JsonNodeFactory.instance.booleanNode(true)));
        var last = turns.get(covered - 1);
        return Optional.of(new CompactionBlock(
                ids.message().text(),
                null,
                last.loop(),
                last.turn(),
                turns.subList(0, keepFirst).stream()
                        .map(place -> new KeptTurns(place.loop(), place.turn(), place.turn()))
                        .toList(),
                List.of(summary),
                now,
                session.state().compaction()));
    }

    /// One turn on the path to the head, and how many messages it has.
    private record Place(LoopPointer loop, int turn, int messages) {}

    private static List<Place> turnsOf(Session session) {
        var places = new ArrayList<Place>();
        for (var loop : session.path()) {
            for (var said : loop.said()) {
                var last = places.isEmpty() ? null : places.getLast();
                if (last != null && last.loop().equals(loop.pointer()) && last.turn() == said.turn()) {
                    places.set(places.size() - 1, new Place(last.loop(), last.turn(), last.messages() + 1));
                } else {
                    places.add(new Place(loop.pointer(), said.turn(), 1));
                }
            }
        }
        return places;
    }
}

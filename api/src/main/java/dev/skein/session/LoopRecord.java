package dev.skein.session;

import dev.skein.message.Cost;
import dev.skein.message.Message;
import dev.skein.message.Usage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The complete record of one loop: what started it, what was said and done, how it ended, and its place in
/// the tree.
///
/// `said` are its messages with the turn each belongs to; `turns` are the turns that came to their end;
/// `events` is everything, in order. `children` are continuations in the same session, `childRefs` lead to
/// sub-agents' sessions. `compaction` is the newest block that ends in this loop.
public record LoopRecord(
        LoopPointer pointer,
        SessionId session,
        @Nullable String agent,
        @Nullable LoopId parent,
        @Nullable Long parentSeq,
        Continuation continuation,
        Trigger trigger,
        @Nullable Instant startedAt,
        @Nullable Instant endedAt,
        LoopStatus status,
        @Nullable String rejection,
        @Nullable LoopConfigSnapshot config,
        List<Said> said,
        List<Turn> turns,
        Usage usage,
        Cost cost,
        Map<String, JsonNode> metadata,
        List<Entry> events,
        List<LoopId> children,
        List<ChildLoopRef> childRefs,
        @Nullable CompactionBlock compaction,
        @Nullable ParallelGroup parallel) {

    /// A message and the turn it was said in.
    public record Said(int turn, Message message) {}

    public LoopId id() {
        return pointer.loop();
    }

    /// What the answer has to look like; null if it may look as it will.
    public @Nullable OutputShape outputShape() {
        return config == null ? null : config.outputShape();
    }

    public List<Message> messages() {
        return said.stream().map(Said::message).toList();
    }

    /// The parent's place in the same session, if it has one there.
    public @Nullable LoopPointer parentPointer() {
        return parent == null || parentSeq == null ? null : new LoopPointer(parent, parentSeq);
    }
}

package dev.skein.session;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.skein.message.Message;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A summary laid over part of the conversation. The originals stay where they are.
///
/// On a path that goes through `until`, everything from the start of loop `from` (from the beginning if null)
/// up to and including turn `untilTurn` of loop `until` (all of it if null) is shown as: the turns in `kept`,
/// word for word, then `messages`. What comes after is untouched. `previous` is the block that was the newest
/// before this one, so that the newest is enough to find them all.
public record CompactionBlock(
        String id,
        @Nullable LoopPointer from,
        LoopPointer until,
        @Nullable Integer untilTurn,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<KeptTurns> kept,
        List<Message> messages,
        Instant createdAt,
        @Nullable BlockPointer previous) {

    public CompactionBlock {
        requireNonNull(id, "id");
        requireNonNull(until, "until");
        requireNonNull(createdAt, "createdAt");
        kept = List.copyOf(requireNonNullElse(kept, List.of()));
        messages = List.copyOf(requireNonNullElse(messages, List.of()));
    }

    /// Turns of one loop that a block leaves as they are, both bounds included.
    public record KeptTurns(LoopPointer loop, int first, int last) {
        public KeptTurns {
            requireNonNull(loop, "loop");
        }
    }

    /// A block, and the sequence number at which it was set.
    public record BlockPointer(String id, long seq) {
        public BlockPointer {
            requireNonNull(id, "id");
        }
    }
}

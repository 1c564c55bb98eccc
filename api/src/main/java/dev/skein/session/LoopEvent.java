package dev.skein.session;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.skein.message.Cost;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.message.Usage;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Something that happened within one loop. Parallel loops interleave, so every event names its loop.
public sealed interface LoopEvent extends SessionEvent {

    LoopId loop();

    /// A run of the agent began. `parentSeq` is the sequence number of the parent's own start, so that a
    /// reader can go from loop to parent without reading what lies between.
    record LoopStarted(
            Instant at,
            LoopId loop,
            @Nullable LoopId parent,
            @Nullable Long parentSeq,
            Continuation continuation,
            Trigger trigger,
            @Nullable String agent,
            @Nullable LoopConfigSnapshot config,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, JsonNode> metadata)
            implements LoopEvent {
        public LoopStarted {
            continuation = requireNonNullElse(continuation, Continuation.INITIAL);
            trigger = requireNonNullElse(trigger, Trigger.USER);
            metadata = Collections.unmodifiableMap(new LinkedHashMap<>(requireNonNullElse(metadata, Map.of())));
        }

        /// The parent's place in the same session, if it has one there.
        public @Nullable LoopPointer parentPointer() {
            return parent == null || parentSeq == null ? null : new LoopPointer(parent, parentSeq);
        }
    }

    /// The model is about to be called.
    record TurnStarted(Instant at, LoopId loop, int turn, Trigger trigger) implements LoopEvent {
        public TurnStarted {
            trigger = requireNonNullElse(trigger, Trigger.USER);
        }
    }

    /// Somebody began to speak.
    record MessageStarted(Instant at, LoopId loop, int turn, MessageId message, Role role) implements LoopEvent {}

    /// A fragment of a message. Live only, unless streaming events are recorded.
    record MessageDelta(Instant at, LoopId loop, int turn, MessageId message, Delta kind, String text)
            implements LoopEvent {}

    /// A message is complete. This is where messages come from, not from their fragments.
    record MessageEnded(Instant at, LoopId loop, int turn, Message message) implements LoopEvent {}

    /// A tool is about to run.
    record ToolStarted(Instant at, LoopId loop, int turn, ToolCallId call, String name, JsonNode args)
            implements LoopEvent {
        public ToolStarted {
            args = requireNonNullElse(args, JsonNodeFactory.instance.objectNode());
        }
    }

    /// A running tool gave a partial result.
    record ToolProgressed(Instant at, LoopId loop, ToolCallId call, String name, List<Part> partial)
            implements LoopEvent {
        public ToolProgressed {
            partial = List.copyOf(requireNonNullElse(partial, List.of()));
        }
    }

    /// A tool came to its end, well or badly. The fold makes the tool message of it.
    record ToolFinished(
            Instant at,
            LoopId loop,
            int turn,
            Part.ToolResult result,
            @Nullable ChildLoopRef child) implements LoopEvent {}

    /// A tool call waits for a person's yes.
    record ApprovalRequested(
            Instant at,
            LoopId loop,
            int turn,
            ToolCallId call,
            String name,
            JsonNode args,
            @Nullable String reason) implements LoopEvent {
        public ApprovalRequested {
            args = requireNonNullElse(args, JsonNodeFactory.instance.objectNode());
        }
    }

    /// A person decided about a tool call.
    record ApprovalGiven(
            Instant at,
            LoopId loop,
            ToolCallId call,
            boolean approved,
            @Nullable String by,
            @Nullable String note) implements LoopEvent {}

    /// A word on how far something has come, for people.
    record Progressed(
            Instant at,
            LoopId loop,
            @Nullable ToolCallId call,
            @Nullable String name,
            String text) implements LoopEvent {}

    /// An input filter refused the prompt.
    record InputRejected(Instant at, LoopId loop, String reason) implements LoopEvent {}

    /// A tool of this loop started an agent of its own, in a session of its own.
    record ChildSpawned(Instant at, LoopId loop, ChildLoopRef child) implements LoopEvent {}

    /// The conversation is being summarised.
    record CompactionStarted(Instant at, LoopId loop, long estimatedTokens, int messageCount) implements LoopEvent {}

    /// The conversation was summarised; the block itself is a [SessionEvent.CompactionBlockSet].
    record CompactionEnded(
            Instant at,
            LoopId loop,
            int messagesBefore,
            int messagesAfter,
            long estimatedTokensBefore,
            long estimatedTokensAfter,
            int loopsCompacted)
            implements LoopEvent {}

    /// The model answered and its tools are done.
    record TurnEnded(
            Instant at,
            LoopId loop,
            int turn,
            Usage usage,
            @Nullable Cost cost) implements LoopEvent {
        public TurnEnded {
            usage = requireNonNullElse(usage, Usage.NONE);
        }
    }

    /// The loop came to rest. Its usage is the sum of its turns, unless told here. `code` is that of the failure that
    /// ended it, if one did.
    record LoopEnded(
            Instant at,
            LoopId loop,
            LoopStatus status,
            @Nullable String reason,
            @Nullable String code,
            @Nullable Usage usage,
            @Nullable Cost cost)
            implements LoopEvent {

        /// An end that is no failure.
        public LoopEnded(
                Instant at,
                LoopId loop,
                LoopStatus status,
                @Nullable String reason,
                @Nullable Usage usage,
                @Nullable Cost cost) {
            this(at, loop, status, reason, null, usage, cost);
        }

        public LoopEnded {
            if (!status.ended()) {
                throw new IllegalArgumentException("a loop cannot end as " + status);
            }
        }
    }
}

package dev.skein.live;

import dev.skein.message.Part;
import dev.skein.session.LoopId;
import dev.skein.session.SessionId;
import org.jspecify.annotations.Nullable;

/// Something a front end hears. `seq` is the sequence number of the durable event it tells of, 0 if it tells of none.
public record LiveEvent(SessionId session, @Nullable LoopId loop, long seq, Body body) {

    /// What happened. On the wire its name is that of the record in snake case, unless said otherwise.
    public sealed interface Body {}

    /// The prompt is durable and the model is about to be asked.
    public record Started() implements Body {}

    public record AssistantDelta(String text) implements Body {}

    public record ThinkingDelta(String text) implements Body {}

    public record AssistantMessageEnd(String text) implements Body {}

    public record ToolCall(Part.ToolCall call) implements Body {}

    public record ToolResult(Part.ToolResult result) implements Body {}

    public record ApprovalRequired(
            Part.ToolCall call, @Nullable String reason) implements Body {}

    /// A summary of the conversation is being made.
    public record SessionCompressing() implements Body {}

    public record SessionCompressed() implements Body {}

    /// A word for people. `info` on the wire.
    public record Noted(String text) implements Body {}

    public record Warning(String text) implements Body {}

    /// The run failed; the session keeps what was finished. `error` on the wire.
    public record Failed(String code, String message) implements Body {}

    /// The run came to rest.
    public record Finished(String status, String finalMessage) implements Body {}
}

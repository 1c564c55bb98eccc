package dev.skein.live;

import dev.skein.message.Part;
import dev.skein.session.LoopId;
import dev.skein.session.SessionId;
import org.jspecify.annotations.Nullable;

/// Something a front end hears.
///
/// `seq` is the sequence number of the newest durable event it knows of. `sub` is 0 if it tells of that very event;
/// what is live only counts up from 1 behind it. So the two together name an event, and say how much of the journal
/// somebody who heard it has already seen.
public record LiveEvent(
        String request, SessionId session, @Nullable LoopId loop, long seq, int sub, Body body) {

    /// The name of this event in its session, for example `12`, or `12.3` for what is live only.
    public String id() {
        return sub == 0 ? Long.toString(seq) : seq + "." + sub;
    }

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

    /// The run goes on by itself, for the `count`th time, because something is left to do.
    public record AutoContinueTriggered(int count) implements Body {}

    /// A summary of the conversation is being made.
    public record SessionCompressing() implements Body {}

    public record SessionCompressed() implements Body {}

    /// The session got a name by itself.
    public record SessionAutonamed(String alias) implements Body {}

    /// A word for people. `info` on the wire.
    public record Noted(String text) implements Body {}

    public record Warning(String text) implements Body {}

    /// The run failed; the session keeps what was finished. `error` on the wire.
    public record Failed(String code, String message) implements Body {}

    /// The run came to rest.
    public record Finished(RunOutcome outcome) implements Body {}
}

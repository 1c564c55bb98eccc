package dev.skein.live;

import dev.skein.message.Cost;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Usage;
import dev.skein.session.LoopId;
import dev.skein.session.LoopRecord;
import dev.skein.session.LoopStatus;
import dev.skein.session.OwnNames;
import dev.skein.session.SessionId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Where a run came to rest. `answer` is the last thing the model said in it; `reason` says why it did not complete;
/// `compressed` whether the conversation was summarised for it; `autoContinued` whether it went on by itself because
/// something was left to do; `citations` which passages the model was shown; `output` the value that the answer holds,
/// if
/// it had to have a shape and does.
public record RunOutcome(
        SessionId session,
        LoopId loop,
        LoopStatus status,
        @Nullable String reason,
        @Nullable Message answer,
        List<ToolUse> toolUses,
        int turns,
        boolean compressed,
        boolean autoContinued,
        Usage usage,
        Cost cost,
        List<Citation> citations,
        @Nullable JsonNode output) {

    public RunOutcome {
        toolUses = List.copyOf(toolUses);
        citations = List.copyOf(citations);
    }

    /// A run that did not go on by itself, and was shown no passages.
    public RunOutcome(
            SessionId session,
            LoopId loop,
            LoopStatus status,
            @Nullable String reason,
            @Nullable Message answer,
            List<ToolUse> toolUses,
            int turns,
            boolean compressed,
            Usage usage,
            Cost cost) {
        this(session, loop, status, reason, answer, toolUses, turns, compressed, false, usage, cost, List.of(), null);
    }

    /// A tool call of the run that came to its end.
    public record ToolUse(Part.ToolCall call, Part.ToolResult result) {}

    /// A loop that ended before the model was asked.
    public static RunOutcome unasked(SessionId session, LoopId loop, LoopStatus status, String reason) {
        return new RunOutcome(session, loop, status, reason, null, List.of(), 0, false, Usage.NONE, Cost.NONE);
    }

    /// Marks a loop, in its metadata, for which the conversation was summarised.
    public static final String COMPRESSED = OwnNames.COMPRESSED;

    /// Marks a message, in its metadata, with which a run went on by itself: the how manieth it was.
    public static final String AUTO_CONTINUE = OwnNames.AUTO_CONTINUE;

    /// Marks a message, in its metadata, with which a model was told that its answer does not fit: the how manieth.
    public static final String OUTPUT_RETRY = OwnNames.OUTPUT_RETRY;

    /// How far a loop has come, as its record tells.
    public static RunOutcome of(LoopRecord loop) {
        return of(loop, Long.MAX_VALUE);
    }

    /// How far it had come by an event.
    public static RunOutcome of(LoopRecord loop, long seq) {
        return new OutcomeFold(loop, seq).outcome();
    }

    public String text() {
        return answer == null ? "" : answer.text();
    }
}

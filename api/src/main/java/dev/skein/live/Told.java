package dev.skein.live;

import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.session.LoopEvent;
import dev.skein.session.SessionEvent;
import java.util.Optional;

/// What a front end hears of a durable event, now or when the journal is replayed to it.
public final class Told {

    private Told() {}

    /// Empty for what front ends do not hear of on its own. The end of a loop is not told here: that takes the whole
    /// loop, see [LiveEvent.Finished].
    public static Optional<LiveEvent.Body> of(SessionEvent event) {
        return Optional.ofNullable(
                switch (event) {
                    case LoopEvent.LoopStarted _ -> new LiveEvent.Started();
                    case LoopEvent.MessageEnded ended
                    when ended.message().role() == Role.ASSISTANT ->
                        new LiveEvent.AssistantMessageEnd(ended.message().text());
                    case LoopEvent.MessageEnded ended
                    when ended.message().metadata().containsKey(RunOutcome.AUTO_CONTINUE) ->
                        new LiveEvent.AutoContinueTriggered(count(ended.message()));
                    case LoopEvent.MessageEnded ended
                    when ended.message().metadata().containsKey(RunOutcome.OUTPUT_RETRY) ->
                        new LiveEvent.Warning("the answer does not have the shape that was asked for; asking again");
                    case LoopEvent.ToolStarted started ->
                        new LiveEvent.ToolCall(new Part.ToolCall(started.call(), started.name(), started.args(), null));
                    case LoopEvent.ToolFinished finished -> new LiveEvent.ToolResult(finished.result());
                    case LoopEvent.ApprovalRequested asked ->
                        new LiveEvent.ApprovalRequired(
                                new Part.ToolCall(asked.call(), asked.name(), asked.args(), null), asked.reason());
                    case SessionEvent.CompactionBlockSet _ -> new LiveEvent.SessionCompressed();
                    default -> null;
                });
    }

    private static int count(Message message) {
        var count = message.metadata().get(RunOutcome.AUTO_CONTINUE);
        return count == null ? 1 : count.asInt(1);
    }
}

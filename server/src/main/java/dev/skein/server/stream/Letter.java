package dev.skein.server.stream;

import dev.skein.live.LiveEvent;
import dev.skein.live.RunOutcome;
import dev.skein.message.Message;
import dev.skein.message.Part;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An event on its way to readers, who may be thousands: it is weighed once and encoded once for all of them. Safe for
/// use by many threads.
final class Letter {

    private static final int OVERHEAD = 100;

    private final LiveEvent event;
    private final int weight;
    private byte @Nullable [] bytes;

    Letter(LiveEvent event) {
        this.event = event;
        this.weight = OVERHEAD + weight(event.body());
    }

    LiveEvent event() {
        return event;
    }

    /// About how many characters it keeps in memory.
    int weight() {
        return weight;
    }

    /// The event as Skein tells it. Not to be changed.
    synchronized byte[] own() {
        if (bytes == null) {
            bytes = Sse.event(event);
        }
        return bytes;
    }

    private static int weight(LiveEvent.Body body) {
        return switch (body) {
            case LiveEvent.AssistantDelta(var text) -> text.length();
            case LiveEvent.ThinkingDelta(var text) -> text.length();
            case LiveEvent.AssistantMessageEnd(var text) -> text.length();
            case LiveEvent.Noted(var text) -> text.length();
            case LiveEvent.Warning(var text) -> text.length();
            case LiveEvent.Failed(var code, var message) -> code.length() + message.length();
            case LiveEvent.ToolCall(var call) -> weight(call);
            case LiveEvent.ApprovalRequired(var call, var reason) ->
                weight(call) + (reason == null ? 0 : reason.length());
            case LiveEvent.ToolResult(var result) -> weight(result);
            case LiveEvent.Finished(var outcome) -> weight(outcome);
            case LiveEvent.Started _,
                    LiveEvent.AutoContinueTriggered _,
                    LiveEvent.SessionCompressing _,
                    LiveEvent.SessionCompressed _,
                    LiveEvent.SessionAutonamed _ -> 0;
        };
    }

    private static int weight(RunOutcome outcome) {
        var uses = outcome.toolUses().stream()
                .mapToInt(use -> weight(use.call()) + weight(use.result()))
                .sum();
        Message answer = outcome.answer();
        return uses + (answer == null ? 0 : weight(answer.parts()));
    }

    private static int weight(List<Part> parts) {
        return parts.stream().mapToInt(Letter::weight).sum();
    }

    private static int weight(Part part) {
        return switch (part) {
            case Part.Text text -> text.text().length();
            case Part.Thinking thinking -> thinking.text().length();
            case Part.Image image -> image.data() == null ? 0 : image.data().length();
            case Part.ToolCall call -> call.arguments().toString().length();
            case Part.ToolResult result ->
                weight(result.content())
                        + (result.data() == null ? 0 : result.data().toString().length());
            case Part.Unknown unknown -> unknown.body().toString().length();
        };
    }
}

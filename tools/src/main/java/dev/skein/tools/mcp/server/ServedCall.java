package dev.skein.tools.mcp.server;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.SkeinException;
import dev.skein.message.Part;
import dev.skein.tool.ToolOutcome;
import dev.skein.tools.call.Arguments;
import dev.skein.tools.call.Refused;
import dev.skein.tools.mcp.wire.WireJson;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One call of one tool, and its outcome in the words of the protocol. What does not work is told as the result, so
/// that
/// the model that asked reads why.
///
/// @param progress hears how far it has come; null for nobody
record ServedCall(
        ServedTool tool, JsonNode arguments, @Nullable Progress progress) {

    /// Hears steps, each with a larger number than the one before.
    interface Progress {
        void told(long step, String words);
    }

    ObjectNode result(Cancellation cancellation) throws InterruptedException {
        var steps = new AtomicLong();
        try {
            var outcome = tool.action().act(new Arguments(arguments), words -> told(steps, words), cancellation);
            return switch (outcome) {
                case ToolOutcome.Answered answered -> answered(answered);
                case ToolOutcome.Failed(var reason) -> failed(reason);
                case ToolOutcome.Denied(var by) -> failed("not allowed: " + by);
                case ToolOutcome.TimedOut(var after) -> failed("no answer within " + after.toSeconds() + " s");
                case ToolOutcome.Waits _ -> failed("it waits for a person");
                case ToolOutcome.Unknown _ -> failed("nobody knows how it ended");
            };
        } catch (Refused | SkeinException e) {
            cancellation.check();
            return failed(String.valueOf(e.getMessage()));
        }
    }

    private synchronized void told(AtomicLong steps, String words) {
        if (progress != null) {
            progress.told(steps.incrementAndGet(), words);
        }
    }

    private static ObjectNode answered(ToolOutcome.Answered answered) {
        var result = content(answered.content());
        if (answered.data() != null) {
            result.set("structuredContent", answered.data());
        }
        return result.put("isError", false);
    }

    private static ObjectNode failed(String reason) {
        return content(List.of(new Part.Text(reason))).put("isError", true);
    }

    private static ObjectNode content(List<Part> parts) {
        var result = WireJson.object();
        var content = result.putArray("content");
        for (var part : parts) {
            switch (part) {
                case Part.Text(var text) ->
                    content.addObject().put("type", "text").put("text", text);
                default -> content.addObject().put("type", "text").put("text", "[" + part.type() + "]");
            }
        }
        return result;
    }
}

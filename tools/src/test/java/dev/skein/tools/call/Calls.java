package dev.skein.tools.call;

import dev.skein.cancellation.Cancellation;
import dev.skein.message.Part;
import dev.skein.message.ToolCallId;
import dev.skein.session.LoopId;
import dev.skein.session.SessionId;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolRequest;
import dev.skein.wire.Json;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Calls tools as the engine does, with arguments given as names and values.
public final class Calls {

    private static final SessionId SESSION = SessionId.of("00000000-0000-4000-8000-000000000001");

    private Calls() {}

    public static ToolOutcome run(List<Tool> tools, String name, Object... arguments) throws InterruptedException {
        return run(named(tools, name), new Cancellation(), arguments);
    }

    public static ToolOutcome run(Tool tool, Cancellation cancellation, Object... arguments)
            throws InterruptedException {
        return tool.run(request(tool.spec().name(), "loop-1", arguments), cancellation);
    }

    /// The text of an answer, or of a failure in brackets.
    public static String words(ToolOutcome outcome) {
        return switch (outcome) {
            case ToolOutcome.Answered answered ->
                answered.content().stream()
                        .map(part -> part instanceof Part.Text(var text) ? text : part.toString())
                        .reduce("", String::concat);
            case ToolOutcome.Failed(var reason) -> "failed: " + reason;
            case ToolOutcome.Denied _, ToolOutcome.TimedOut _, ToolOutcome.Unknown _, ToolOutcome.Waits _ ->
                outcome.toString();
        };
    }

    public static String words(List<Tool> tools, String name, Object... arguments) throws InterruptedException {
        return words(run(tools, name, arguments));
    }

    public static Tool named(List<Tool> tools, String name) {
        return tools.stream()
                .filter(tool -> tool.spec().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    public static ToolRequest request(String name, String loop, Object... arguments) {
        return ToolRequest.of(call(name, arguments), SESSION, new LoopId(loop));
    }

    public static Part.ToolCall call(String name, Object... arguments) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        for (int i = 0; i < arguments.length; i += 2) {
            JsonNode value = Json.MAPPER.valueToTree(arguments[i + 1]);
            json.set((String) arguments[i], value);
        }
        return new Part.ToolCall(new ToolCallId("call-1"), name, json, null);
    }
}

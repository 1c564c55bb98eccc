package dev.skein.live;

import dev.skein.live.LiveEvent.ApprovalRequired;
import dev.skein.live.LiveEvent.AssistantDelta;
import dev.skein.live.LiveEvent.AssistantMessageEnd;
import dev.skein.live.LiveEvent.AutoContinueTriggered;
import dev.skein.live.LiveEvent.Failed;
import dev.skein.live.LiveEvent.Finished;
import dev.skein.live.LiveEvent.Noted;
import dev.skein.live.LiveEvent.SessionAutonamed;
import dev.skein.live.LiveEvent.SessionCompressed;
import dev.skein.live.LiveEvent.SessionCompressing;
import dev.skein.live.LiveEvent.Started;
import dev.skein.live.LiveEvent.ThinkingDelta;
import dev.skein.live.LiveEvent.ToolCall;
import dev.skein.live.LiveEvent.ToolResult;
import dev.skein.live.LiveEvent.Warning;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.Usage;
import dev.skein.wire.Json;
import java.time.Instant;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The one JSON shape of live events and of how a run ended: on the command line with `--json`, and over HTTP.
public final class LiveJson {

    private static final MessageId ANY = new MessageId("result");

    private LiveJson() {}

    /// What the event is called: the `event` of a line, and of a server-sent event.
    public static String name(LiveEvent.Body body) {
        return switch (body) {
            case Started _ -> "started";
            case AssistantDelta _ -> "assistant_delta";
            case ThinkingDelta _ -> "thinking_delta";
            case AssistantMessageEnd _ -> "assistant_message_end";
            case ToolCall _ -> "tool_call";
            case ToolResult _ -> "tool_result";
            case ApprovalRequired _ -> "approval_required";
            case AutoContinueTriggered _ -> "auto_continue_triggered";
            case SessionCompressing _ -> "session_compressing";
            case SessionCompressed _ -> "session_compressed";
            case SessionAutonamed _ -> "session_autonamed";
            case Noted _ -> "info";
            case Warning _ -> "warning";
            case Failed _ -> "error";
            case Finished _ -> "finished";
        };
    }

    /// The event with its name and its id (`event_id`: the `id` of a tool event is the call), as one line of `--json`
    /// has it.
    public static ObjectNode line(LiveEvent event) {
        var line = object().put("event", name(event.body())).put("event_id", event.id());
        line.setAll(data(event));
        return line;
    }

    /// The event without its name and id, which server-sent events carry beside it.
    public static ObjectNode data(LiveEvent event) {
        var data = object().put("request_id", event.request())
                .put("session_id", event.session().toString());
        if (event.loop() != null) {
            data.put("loop_id", event.loop().text());
        }
        return switch (event.body()) {
            case Started _, SessionCompressing _, SessionCompressed _ -> data;
            case AssistantDelta(var text) -> data.put("text", text);
            case ThinkingDelta(var text) -> data.put("text", text);
            case AssistantMessageEnd(var text) -> data.put("text", text);
            case ToolCall(var call) -> withCall(data, call);
            case ToolResult(var result) ->
                data.put("id", result.call().text())
                        .put("name", result.name())
                        .put("result", text(result))
                        .put("is_error", result.isError());
            case ApprovalRequired(var call, var reason) -> withCall(data, call).put("reason", reason);
            case AutoContinueTriggered(var count) -> data.put("count", count);
            case SessionAutonamed(var alias) -> data.put("alias", alias);
            case Noted(var text) -> data.put("text", text);
            case Warning(var text) -> data.put("text", text);
            case Failed(var code, var message) -> data.put("code", code).put("message", message);
            case Finished(var outcome) -> data.setAll(response(event.request(), outcome));
        };
    }

    /// How a run ended.
    public static ObjectNode response(String request, RunOutcome outcome) {
        var response = object().put("request_id", request)
                .put("session_id", outcome.session().toString())
                .put("loop_id", outcome.loop().text())
                .put("status", outcome.status().toString());
        if (outcome.reason() != null) {
            response.put("reason", outcome.reason());
        }
        response.put("final_message", outcome.text());
        if (outcome.output() != null) {
            response.set("structured_output", outcome.output());
        }
        var calls = response.putArray("tool_calls");
        for (var use : outcome.toolUses()) {
            withCall(calls.addObject(), use.call())
                    .put("result", text(use.result()))
                    .put("is_error", use.result().isError());
        }
        response.put("turns", outcome.turns()).put("compressed", outcome.compressed());
        response.put("auto_continued", outcome.autoContinued());
        response.set("usage", usage(outcome.usage()));
        response.put("cost", outcome.cost().usd());
        if (!outcome.citations().isEmpty()) {
            response.set("citations", Json.MAPPER.valueToTree(outcome.citations()));
        }
        return response;
    }

    private static ObjectNode usage(Usage usage) {
        return Json.MAPPER.valueToTree(usage);
    }

    private static ObjectNode withCall(ObjectNode node, Part.ToolCall call) {
        node.put("id", call.id().text()).put("name", call.name());
        return node.set("args", call.arguments());
    }

    private static String text(Part.ToolResult result) {
        return Message.of(ANY, Role.TOOL, Instant.EPOCH, result).text();
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }
}

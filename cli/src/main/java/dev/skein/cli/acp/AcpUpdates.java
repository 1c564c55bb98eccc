package dev.skein.cli.acp;

import dev.skein.live.Emitter;
import dev.skein.live.LiveEvent;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.session.LoopRecord;
import dev.skein.session.Session;
import dev.skein.session.SessionId;
import dev.skein.tools.mcp.wire.WireJson;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Tells the editor what happens in a session, and what happened.
final class AcpUpdates implements Emitter {

    private final AcpPeer peer;
    private final SessionId session;
    private final Set<String> shown = new HashSet<>();
    private boolean spoken;

    AcpUpdates(AcpPeer peer, SessionId session) {
        this.peer = peer;
        this.session = session;
    }

    @Override
    public synchronized void emit(LiveEvent event) {
        switch (event.body()) {
            case LiveEvent.AssistantDelta(var text) -> {
                spoken = true;
                say("agent_message_chunk", text);
            }
            case LiveEvent.ThinkingDelta(var text) -> say("agent_thought_chunk", text);
            case LiveEvent.AssistantMessageEnd(var text) -> {
                if (!spoken && !text.isEmpty()) {
                    say("agent_message_chunk", text);
                }
                spoken = false;
            }
            case LiveEvent.ToolCall(var call) -> call(call.id().text(), call.name(), call.arguments(), "in_progress");
            case LiveEvent.ApprovalRequired(var call, var _) ->
                call(call.id().text(), call.name(), call.arguments(), "pending");
            case LiveEvent.ToolResult(var result) -> result(result);
            case LiveEvent.Started _,
                    LiveEvent.AutoContinueTriggered _,
                    LiveEvent.SessionCompressing _,
                    LiveEvent.SessionCompressed _,
                    LiveEvent.SessionAutonamed _,
                    LiveEvent.Noted _,
                    LiveEvent.Warning _,
                    LiveEvent.Failed _,
                    LiveEvent.Finished _ -> {}
        }
    }

    /// What was said on the path to the head.
    void replay(Session whole) {
        whole.path().stream().map(LoopRecord::messages).forEach(messages -> messages.forEach(this::replay));
    }

    private void replay(Message message) {
        var speaker = switch (message.role()) {
            case USER -> "user_message_chunk";
            case ASSISTANT -> "agent_message_chunk";
            case SYSTEM, TOOL -> "";
        };
        for (var part : message.parts()) {
            switch (part) {
                case Part.Text(var text) -> say(speaker, text);
                case Part.Thinking thinking -> say("agent_thought_chunk", thinking.text());
                case Part.ToolCall call -> call(call.id().text(), call.name(), call.arguments(), "pending");
                case Part.ToolResult result -> result(result);
                case Part.Image _, Part.Unknown _ -> {}
            }
        }
    }

    void say(String kind, String text) {
        if (!kind.isEmpty() && !text.isEmpty()) {
            var update = WireJson.object().put("sessionUpdate", kind);
            update.set("content", text(text));
            send(update);
        }
    }

    /// A call is shown once; after that only its status changes.
    void call(String id, String name, JsonNode arguments, String status) {
        var isNew = shown.add(id);
        var update =
                describe(id, name, arguments, status).put("sessionUpdate", isNew ? "tool_call" : "tool_call_update");
        send(update);
    }

    static ObjectNode describe(String id, String name, JsonNode arguments, String status) {
        var update = WireJson.object()
                .put("toolCallId", id)
                .put("title", name + " " + arguments)
                .put("kind", kind(name))
                .put("status", status);
        update.set("rawInput", arguments);
        return update;
    }

    private void result(Part.ToolResult result) {
        var update = WireJson.object()
                .put("sessionUpdate", "tool_call_update")
                .put("toolCallId", result.call().text())
                .put("status", result.isError() ? "failed" : "completed");
        var content = update.putArray("content");
        for (var part : result.content()) {
            if (part instanceof Part.Text(var words)) {
                content.addObject().put("type", "content").set("content", text(words));
            }
        }
        send(update);
    }

    private void send(ObjectNode update) {
        var params = WireJson.object().put("sessionId", session.toString());
        params.set("update", update);
        peer.mention("session/update", params);
    }

    private static ObjectNode text(String text) {
        return WireJson.object().put("type", "text").put("text", text);
    }

    private static String kind(String tool) {
        return switch (tool) {
            case "read", "list" -> "read";
            case "glob", "grep" -> "search";
            case "write", "edit" -> "edit";
            case "shell" -> "execute";
            case "fetch" -> "fetch";
            default -> "other";
        };
    }
}

package dev.skein.tools.mcp.client;

import dev.skein.tools.mcp.wire.Peer;
import dev.skein.tools.mcp.wire.VisibleText;
import dev.skein.tools.mcp.wire.WireJson;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a server wants of us, and what it tells. Safe for use by many threads.
final class ServerWishes implements Peer.Handler {

    private static final int WORDS_MAX = 500;

    private final ClientTerms terms;
    private final Runnable toolsChanged;
    private final AtomicLong changes = new AtomicLong();

    ServerWishes(ClientTerms terms, Runnable toolsChanged) {
        this.terms = terms;
        this.toolsChanged = toolsChanged;
    }

    @Override
    public Optional<ObjectNode> serve(String method, JsonNode params, Optional<Peer.Caller> caller) {
        return switch (method) {
            case "ping" -> Optional.of(WireJson.object());
            case "roots/list" -> Optional.of(roots());
            case "elicitation/create" ->
                terms.elicits()
                        ? caller.flatMap(asked -> asked.asked(method, params)).or(() -> Optional.of(declined()))
                        : Optional.empty();
            case "sampling/createMessage" ->
                terms.samples()
                        ? caller.flatMap(asked -> asked.asked(method, params)).map(ServerWishes::granted)
                        : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static ObjectNode granted(ObjectNode result) {
        if (result.has("action")) {
            throw new IllegalStateException("a person said no");
        }
        return result;
    }

    private static ObjectNode declined() {
        return WireJson.object().put("action", "decline");
    }

    private ObjectNode roots() {
        var answer = WireJson.object();
        var root = terms.workspace().toAbsolutePath();
        answer.putArray("roots")
                .addObject()
                .put("uri", root.toUri().toString())
                .put("name", String.valueOf(root.getFileName()));
        return answer;
    }

    @Override
    public void notified(String method, JsonNode params, Optional<Peer.Caller> caller) {
        switch (method) {
            case "notifications/progress" -> caller.ifPresent(told -> told.told(progress(params)));
            case "notifications/message" -> said(params, caller);
            case "notifications/tools/list_changed" -> {
                changes.incrementAndGet();
                toolsChanged.run();
            }
            default -> {}
        }
    }

    /// How often the server said that its tools have changed.
    long changes() {
        return changes.get();
    }

    private static String progress(JsonNode params) {
        var done = params.path("progress").asString("");
        var total = params.path("total").asString("");
        var far = total.isEmpty() ? done : done + " of " + total;
        var words = params.path("message").asString("");
        return VisibleText.cut(words.isEmpty() ? far : words + " (" + far + ")", WORDS_MAX);
    }

    private static void said(JsonNode params, Optional<Peer.Caller> caller) {
        var data = params.path("data");
        var words = VisibleText.cut(
                params.path("level").asString("info") + ": " + (data.isString() ? data.stringValue() : data.toString()),
                WORDS_MAX);
        caller.ifPresent(told -> told.told(words));
    }
}

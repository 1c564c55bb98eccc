package dev.skein.tools.mcp;

import dev.skein.cancellation.Cancellation;
import dev.skein.tool.Caution;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolRequest;
import dev.skein.tool.ToolSpec;
import dev.skein.tools.mcp.client.McpClient;
import dev.skein.tools.mcp.client.McpToolInfo;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.wire.McpFailure;
import dev.skein.tools.mcp.wire.Peer;
import dev.skein.tools.mcp.wire.VisibleText;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A server's tool, as the engine sees it. What the server says about it is shown, and counts for nothing: it may
/// always
/// change things, and is never run twice by itself.
final class McpTool implements Tool {

    private static final int NOTES_MAX = 200;
    private static final int SHOWN_CHARS_MAX = 12_000;

    private final McpServer server;
    private final McpToolInfo info;
    private final ToolSpec spec;
    private final Scope scope;

    /// Where its server and what was approved are found.
    interface Scope {
        McpClient client(McpServer server, Cancellation cancellation) throws InterruptedException;

        Pins pins();

        /// Asks the person for what the server wants to know.
        @Nullable
        Elicitation elicitation();
    }

    McpTool(McpServer server, String name, McpToolInfo info, Scope scope) {
        this.server = server;
        this.info = info;
        this.scope = scope;
        this.spec = new ToolSpec(name, info.description(), info.schema(), ToolSpec.Repeat.UNSAFE, ToolSpec.Effect.ACTS);
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    McpServer server() {
        return server;
    }

    McpToolInfo info() {
        return info;
    }

    @Override
    public Optional<Caution> caution() {
        var pin = scope.pins().of(spec.name());
        if (Fingerprint.of(info.definition()).equals(pin.approved())) {
            return Optional.empty();
        }
        scope.pins().asked(spec.name(), info.definition());
        var now = "the MCP server '" + server.name() + "' says of it: " + shown(info.definition());
        return Optional.of(
                pin.definition() == null
                        ? new Caution(Caution.Weight.SAID, "it was never used before; " + now)
                        : new Caution(
                                Caution.Weight.ASKS,
                                "it has changed since it was approved; before, the server said: "
                                        + shown(pin.definition()) + "; now " + now));
    }

    private static String shown(JsonNode definition) {
        return VisibleText.cut(definition.toString(), SHOWN_CHARS_MAX);
    }

    @Override
    public ToolOutcome run(ToolRequest request, Cancellation cancellation) throws InterruptedException {
        if (!request.call().arguments().isObject()) {
            return new ToolOutcome.Failed("its arguments are not an object; give them as one");
        }
        if (!isApproved()) {
            return new ToolOutcome.Failed("the tool has changed since a person was asked about it; call it again");
        }
        try {
            var client = scope.client(server, cancellation);
            if (!isSameIn(client, cancellation)) {
                return new ToolOutcome.Failed("the MCP server '" + server.name()
                        + "' has changed this tool meanwhile; the next prompt offers it as it is now");
            }
            scope.pins().approved(spec.name(), info.definition());
            var result = client.call(info, request.call().arguments(), caller(request), cancellation);
            return CallResult.of(result);
        } catch (McpFailure e) {
            return e.kind() == McpFailure.Kind.TIMEOUT
                    ? new ToolOutcome.TimedOut(server.timeout())
                    : ToolOutcome.Failed.because(e);
        }
    }

    /// A yes counts for what the person saw.
    private boolean isApproved() {
        var pin = scope.pins().of(spec.name());
        var digest = Fingerprint.of(info.definition());
        var isNew = pin.approved() == null && pin.asked() == null;
        return isNew || digest.equals(pin.approved()) || digest.equals(pin.asked());
    }

    private boolean isSameIn(McpClient client, Cancellation cancellation) throws InterruptedException {
        return client.tools(cancellation).tools().stream()
                .anyMatch(tool ->
                        tool.name().equals(info.name()) && tool.definition().equals(info.definition()));
    }

    private Peer.Caller caller(ToolRequest request) {
        var notes = new AtomicInteger();
        return new Peer.Caller() {
            @Override
            public void told(String words) {
                if (notes.incrementAndGet() <= NOTES_MAX) {
                    request.progress().accept(words);
                }
            }

            @Override
            public Optional<ObjectNode> asked(String method, JsonNode params) {
                return Optional.ofNullable(scope.elicitation())
                        .map(elicitation -> elicitation.ask(server.name(), params));
            }
        };
    }
}

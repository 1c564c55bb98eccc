package dev.skein.tools.mcp;

import dev.skein.cancellation.Cancellation;
import dev.skein.tool.Caution;
import dev.skein.tool.Keeper;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolRequest;
import dev.skein.tool.ToolSpec;
import dev.skein.tools.mcp.client.McpClient;
import dev.skein.tools.mcp.client.McpToolInfo;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.pool.McpLease;
import dev.skein.tools.mcp.wire.McpFailure;
import dev.skein.tools.mcp.wire.VisibleText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

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

    /// Made when first asked for: most tools that are offered are never called.
    private volatile @Nullable String digest;

    /// Where its server and what was approved are found.
    interface Scope {
        McpLease acquire(McpServer server, Cancellation cancellation) throws InterruptedException;

        Keeper keeper(McpServer server);

        Pins pins();

        @Nullable
        Sampler sampler();

        /// Calls in whose middle a person is asked, until they go on.
        Map<String, OngoingCall> parked();
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
        if (digest().equals(pin.approved())) {
            return Optional.empty();
        }
        scope.pins().asked(spec.name(), digest());
        var now = "the MCP server '" + server.name() + "' says of it: " + shown(info.definition());
        return Optional.of(
                pin.definition() == null
                        ? new Caution(Caution.Weight.SAID, "it was never used before; " + now)
                        : new Caution(
                                Caution.Weight.ASKS,
                                "it has changed since it was approved; before, the server said: "
                                        + shown(pin.definition()) + "; now " + now));
    }

    @Override
    public Optional<Keeper> keeper() {
        return Optional.of(scope.keeper(server));
    }

    private String digest() {
        var known = digest;
        if (known == null) {
            known = Fingerprint.of(info.definition());
            digest = known;
        }
        return known;
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
            var earlier = scope.parked().remove(key(request));
            var call = earlier == null || earlier.isOver() ? begin(request, cancellation) : earlier;
            return call == null ? changed() : settled(call, request, cancellation);
        } catch (McpFailure e) {
            return e.kind() == McpFailure.Kind.TIMEOUT
                    ? new ToolOutcome.TimedOut(server.timeout())
                    : ToolOutcome.Failed.because(e);
        }
    }

    private static String key(ToolRequest request) {
        return request.session() + " " + request.loop() + " " + request.call().id();
    }

    private ToolOutcome changed() {
        return new ToolOutcome.Failed("the MCP server '" + server.name()
                + "' has changed this tool meanwhile; the next prompt offers it as it is now");
    }

    /// Null if it is not the tool any more that was offered.
    private @Nullable OngoingCall begin(ToolRequest request, Cancellation cancellation) throws InterruptedException {
        var lease = scope.acquire(server, cancellation);
        try {
            if (!isSameIn(lease.client(), cancellation)) {
                lease.close();
                return null;
            }
            scope.pins().approved(spec.name(), digest(), info.definition());
            return OngoingCall.begin(lease, info, request.call().arguments());
        } catch (InterruptedException | RuntimeException e) {
            lease.close();
            throw e;
        }
    }

    /// Goes on until there is a result, or something that only a person can decide and nobody has yet.
    private ToolOutcome settled(OngoingCall call, ToolRequest request, Cancellation cancellation)
            throws InterruptedException {
        var notes = new AtomicInteger();
        var answers = request.person().answers();
        while (true) {
            var step = call.next(words -> told(request, notes, words), cancellation);
            switch (step) {
                case OngoingCall.Step.Done(var result) -> {
                    return CallResult.of(result);
                }
                case OngoingCall.Step.Broke(var why) -> throw why;
                case OngoingCall.Step.Asks asks -> {
                    var question = new ServerQuestion(server.name(), asks.method(), asks.params());
                    var number = call.answered();
                    if (!request.person().isThere() || !question.canBeAsked(scope.sampler())) {
                        call.answer(asks, OngoingCall.declined());
                    } else if (number < answers.size()) {
                        question.answer(answers.get(number), scope.sampler(), cancellation)
                                .ifPresentOrElse(answer -> call.answer(asks, answer), () -> call.misfit(asks));
                    } else {
                        call.repeat(asks);
                        scope.parked().values().removeIf(OngoingCall::isOver);
                        scope.parked().put(key(request), call);
                        return new ToolOutcome.Waits(
                                List.of(question.ask(request.call().id(), number + 1)));
                    }
                }
            }
        }
    }

    private static void told(ToolRequest request, AtomicInteger notes, String words) {
        if (notes.incrementAndGet() <= NOTES_MAX) {
            request.progress().accept(words);
        }
    }

    /// A yes counts for what the person saw.
    private boolean isApproved() {
        var pin = scope.pins().of(spec.name());
        var isNew = pin.approved() == null && pin.asked() == null;
        return isNew || digest().equals(pin.approved()) || digest().equals(pin.asked());
    }

    private boolean isSameIn(McpClient client, Cancellation cancellation) throws InterruptedException {
        return client.tools(cancellation).tools().stream()
                .anyMatch(tool ->
                        tool.name().equals(info.name()) && tool.definition().equals(info.definition()));
    }
}

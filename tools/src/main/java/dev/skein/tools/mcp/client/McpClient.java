package dev.skein.tools.mcp.client;

import dev.skein.cancellation.Cancellation;
import dev.skein.redaction.Redaction;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.wire.HttpTransport;
import dev.skein.tools.mcp.wire.McpFailure;
import dev.skein.tools.mcp.wire.Peer;
import dev.skein.tools.mcp.wire.StdioTransport;
import dev.skein.tools.mcp.wire.Transport;
import dev.skein.tools.mcp.wire.WireJson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One server, started or reached, greeted, and ready for calls. Safe for use by many threads, and made to be shared.
public final class McpClient implements AutoCloseable {

    private static final int PAGES_MAX = 100;
    private static final int ROUNDS_MAX = 8;
    private static final Duration LIST_TIMEOUT = Duration.ofSeconds(30);

    private final McpServer server;
    private final ServerWishes wishes;
    private final Redaction redaction;
    private final Peer peer;
    private final ReentrantLock listing = new ReentrantLock();
    private Greeting.Agreed agreed = Greeting.Agreed.NONE;
    private volatile @Nullable ToolListing tools;

    private McpClient(McpServer server, ClientTerms terms, Transport transport) {
        this.redaction = terms.redaction();
        this.server = server;
        this.wishes = new ServerWishes(terms, () -> tools = null);
        this.peer = new Peer(server.name(), transport, terms.limits(), wishes);
    }

    /// Starts or reaches a server and greets it. If that fails nothing is left of it.
    ///
    /// @throws McpFailure if it does not come up in time, or does not speak our language
    public static McpClient open(McpServer server, ClientTerms terms, Cancellation cancellation)
            throws InterruptedException {
        var client = new McpClient(server, terms, transport(server, terms));
        try {
            client.peer.start();
            client.agreed = new Greeting(client.peer, server, terms).greet(cancellation);
            return client;
        } catch (McpFailure e) {
            var said = client.peer.diagnosis();
            client.close();
            throw e.kind() == McpFailure.Kind.TIMEOUT && !said.isEmpty()
                    ? e.saying(e.getMessage() + "; it said: " + said)
                    : e;
        } catch (InterruptedException | RuntimeException e) {
            client.close();
            throw e;
        }
    }

    private static Transport transport(McpServer server, ClientTerms terms) {
        return switch (server.reach()) {
            case McpServer.Reach.Child child -> {
                var command = new ArrayList<String>();
                command.add(child.command());
                command.addAll(child.args());
                var cwd = child.cwd() == null
                        ? terms.workspace()
                        : terms.workspace().resolve(child.cwd());
                yield StdioTransport.open(
                        server.name(), command, cwd, terms.environment().with(child.env()), terms.limits());
            }
            case McpServer.Reach.Web web ->
                new HttpTransport(
                        server.name(),
                        web.url(),
                        web.headers(),
                        terms.credentials().apply(server),
                        terms.limits());
        };
    }

    public McpServer server() {
        return server;
    }

    /// The version of the protocol that both speak.
    public String protocol() {
        return agreed.version();
    }

    /// What the server calls itself.
    public String title() {
        return agreed.title();
    }

    /// Why it cannot be used any more; empty as long as it can.
    public Optional<McpFailure> ended() {
        return peer.ended();
    }

    /// Its tools. Asked for once, and again when the server says that they have changed.
    public ToolListing tools(Cancellation cancellation) throws InterruptedException {
        var known = tools;
        if (known != null) {
            return known;
        }
        listing.lockInterruptibly();
        try {
            var meanwhile = tools;
            return meanwhile == null ? refresh(LIST_TIMEOUT, cancellation) : meanwhile;
        } finally {
            listing.unlock();
        }
    }

    /// Asks for the tools even if they are known, and so learns whether the server is well.
    public ToolListing refresh(Duration timeout, Cancellation cancellation) throws InterruptedException {
        if (!agreed.hasTools()) {
            peer.request(Peer.Ask.of("ping", WireJson.object()), timeout, cancellation);
            return remember(ToolListing.NONE);
        }
        var sent = new ArrayList<JsonNode>();
        var cursors = new HashSet<String>();
        var cursor = "";
        var changes = wishes.changes();
        for (int page = 0; page < PAGES_MAX && sent.size() <= ToolListing.TOOLS_MAX; page++) {
            var params = WireJson.object();
            if (!cursor.isEmpty()) {
                params.put("cursor", cursor);
            }
            var result = peer.request(ask("tools/list", params, Map.of(), null), timeout, cancellation);
            result.path("tools").forEach(sent::add);
            cursor = result.path("nextCursor").asString("");
            if (cursor.isEmpty() || !cursors.add(cursor)) {
                break;
            }
        }
        var way = server.reach() instanceof McpServer.Reach.Web ? ToolListing.Way.HTTP : ToolListing.Way.STREAMS;
        var found = ToolListing.of(sent.stream().map(redaction::redact).toList(), way);
        // What changed while it was listed is asked for again next time.
        return changes == wishes.changes() ? remember(found) : found;
    }

    private ToolListing remember(ToolListing found) {
        tools = found;
        return found;
    }

    /// Calls a tool and returns the result as the server gave it.
    public JsonNode call(McpToolInfo tool, JsonNode arguments, Peer.Caller caller, Cancellation cancellation)
            throws InterruptedException {
        var params = WireJson.object().put("name", tool.name());
        params.set("arguments", arguments);
        var headers = ParamHeaders.of(tool, arguments);
        for (int round = 0; round < ROUNDS_MAX; round++) {
            var result =
                    peer.request(ask("tools/call", params.deepCopy(), headers, caller), server.timeout(), cancellation);
            if (!result.path("resultType").asString("complete").equals("input_required")) {
                return result;
            }
            answer(params, result, caller);
        }
        throw new McpFailure(
                McpFailure.Kind.PROTOCOL,
                "the MCP server '" + server.name() + "' asked back more than " + ROUNDS_MAX + " times");
    }

    /// The server needs something before it can go on: it is put beside the arguments, with the server's own note.
    private void answer(ObjectNode params, JsonNode result, Peer.Caller caller) {
        var responses = WireJson.object();
        for (var wish : result.path("inputRequests").properties()) {
            var method = wish.getValue().path("method").asString("");
            responses.set(
                    wish.getKey(),
                    wishes.serve(method, wish.getValue().path("params"), Optional.of(caller))
                            .orElseThrow(() -> new McpFailure(
                                    McpFailure.Kind.PROTOCOL,
                                    "the MCP server '" + server.name() + "' needs " + method
                                            + " to go on, which it cannot have here")));
        }
        params.set("inputResponses", responses);
        params.remove("requestState");
        if (result.has("requestState")) {
            params.set("requestState", result.path("requestState"));
        }
    }

    private Peer.Ask ask(String method, ObjectNode params, Map<String, String> headers, Peer.@Nullable Caller caller) {
        agreed.meta().ifPresent(meta -> params.withObject("_meta").setAll(meta));
        return new Peer.Ask(method, params, headers, caller);
    }

    @Override
    public void close() {
        peer.close();
    }
}

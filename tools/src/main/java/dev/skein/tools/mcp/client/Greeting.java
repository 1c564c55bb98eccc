package dev.skein.tools.mcp.client;

import dev.skein.cancellation.Cancellation;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.wire.McpFailure;
import dev.skein.tools.mcp.wire.Peer;
import dev.skein.tools.mcp.wire.VisibleText;
import dev.skein.tools.mcp.wire.WireJson;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Finds out what a server speaks.
///
/// The older life of the protocol begins with a handshake. In the newer one every request says all there is to say, and
/// a server may be asked what it can do. A server that refuses the handshake is asked in the newer way.
record Greeting(Peer peer, McpServer server, ClientTerms terms) {

    static final String STATELESS_VERSION = "2026-07-28";
    private static final List<String> SESSION_VERSIONS =
            List.of("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05");
    private static final int UNSUPPORTED_VERSION = -32022;
    private static final String META = "io.modelcontextprotocol/";
    private static final Duration SECOND_TRY = Duration.ofSeconds(5);
    private static final int TITLE_CHARS_MAX = 200;

    /// What both sides agreed on.
    ///
    /// @param meta what goes with every request of the newer life
    record Agreed(String version, String title, boolean hasTools, Optional<ObjectNode> meta) {
        static final Agreed NONE = new Agreed("", "", false, Optional.empty());
    }

    Agreed greet(Cancellation cancellation) throws InterruptedException {
        return switch (server.protocol()) {
            case SESSION -> handshake(cancellation);
            case STATELESS -> discover(server.startTimeout(), cancellation);
            case AUTO -> {
                try {
                    yield handshake(cancellation);
                } catch (McpFailure e) {
                    if (e.kind() != McpFailure.Kind.ERROR) {
                        throw e;
                    }
                    yield discoverOr(e, cancellation);
                }
            }
        };
    }

    private Agreed discoverOr(McpFailure first, Cancellation cancellation) throws InterruptedException {
        try {
            return discover(SECOND_TRY, cancellation);
        } catch (McpFailure second) {
            first.addSuppressed(second);
            throw first;
        }
    }

    private Agreed handshake(Cancellation cancellation) throws InterruptedException {
        var wanted = SESSION_VERSIONS.getFirst();
        var params = WireJson.object().put("protocolVersion", wanted);
        params.set("capabilities", capabilities());
        params.set("clientInfo", clientInfo());
        var result = peer.request(Peer.Ask.of("initialize", params), server.startTimeout(), cancellation);
        var version = result.path("protocolVersion").asString("");
        if (!SESSION_VERSIONS.contains(version)) {
            throw new McpFailure(
                    McpFailure.Kind.PROTOCOL,
                    "the MCP server '" + server.name() + "' speaks version '" + VisibleText.cut(version, 40)
                            + "' of the protocol, which is not among " + SESSION_VERSIONS);
        }
        peer.agreed(version);
        peer.tell("notifications/initialized", WireJson.object());
        return agreed(version, result, null);
    }

    private Agreed discover(Duration timeout, Cancellation cancellation) throws InterruptedException {
        peer.agreed(STATELESS_VERSION);
        var meta = WireJson.object().put(META + "protocolVersion", STATELESS_VERSION);
        meta.set(META + "clientInfo", clientInfo());
        meta.set(META + "clientCapabilities", capabilities());
        JsonNode result;
        try {
            result = ask(meta, timeout, cancellation);
        } catch (McpFailure e) {
            if (e.code() != UNSUPPORTED_VERSION) {
                throw e;
            }
            // It is the only version of this life, so all there is to do is to say it again.
            result = ask(meta, timeout, cancellation);
        }
        return agreed(STATELESS_VERSION, result, meta);
    }

    private JsonNode ask(ObjectNode meta, Duration timeout, Cancellation cancellation) throws InterruptedException {
        var params = WireJson.object();
        params.set("_meta", meta.deepCopy());
        return peer.request(Peer.Ask.of("server/discover", params), timeout, cancellation);
    }

    /// A server without the word for it may have tools all the same in the newer life.
    private static Agreed agreed(String version, JsonNode result, @Nullable ObjectNode meta) {
        var info = result.path("serverInfo");
        var title = info.path("title").asString(info.path("name").asString("")) + " "
                + info.path("version").asString("");
        return new Agreed(
                version,
                VisibleText.cut(title.strip(), TITLE_CHARS_MAX),
                meta != null || result.path("capabilities").has("tools"),
                Optional.ofNullable(meta));
    }

    private ObjectNode capabilities() {
        var capabilities = WireJson.object();
        capabilities.putObject("roots");
        if (terms.elicits()) {
            capabilities.putObject("elicitation");
        }
        if (terms.samples()) {
            capabilities.putObject("sampling");
        }
        return capabilities;
    }

    private static ObjectNode clientInfo() {
        var version = Greeting.class.getPackage().getImplementationVersion();
        return WireJson.object()
                .put("name", "skein")
                .put("version", Objects.requireNonNullElse(version, "development"));
    }
}

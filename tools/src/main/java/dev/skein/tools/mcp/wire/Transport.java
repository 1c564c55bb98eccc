package dev.skein.tools.mcp.wire;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A way to a server and back. Safe for use by many threads.
public interface Transport extends AutoCloseable {

    /// Begins to listen. Called once, before anything is sent.
    void start(Receiver receiver);

    /// Sends a message, soon. Never waits for the server.
    void send(Outgoing message);

    /// Both sides have agreed on this version of the protocol.
    void agreed(String version);

    /// Nobody waits for the answer to this request any more.
    void forget(long request);

    /// What the server said about itself on its way, for whoever looks for the reason of a failure.
    String diagnosis();

    /// Ends it, within moments.
    @Override
    void close();

    /// A message on its way.
    ///
    /// @param request the number of the request it makes; null if it makes none
    /// @param headers what a proxy may know about it, over HTTP
    record Outgoing(ObjectNode json, @Nullable Long request, Map<String, String> headers) {}

    /// Hears what comes. Called by threads of the transport, one after the other for one stream.
    interface Receiver {

        /// A message, and the request on whose stream it came, where that is known.
        void received(JsonNode message, int bytes, @Nullable Long stream);

        /// One request will have no answer.
        void failed(long request, McpFailure why);

        /// Nothing will come any more.
        void ended(McpFailure why);
    }
}

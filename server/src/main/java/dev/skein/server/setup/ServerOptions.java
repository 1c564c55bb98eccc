package dev.skein.server.setup;

import java.time.Duration;

/// How a server behaves. Start from [#standard] and change what differs.
///
/// @param port 0 for any that is free
/// @param bodyMax bytes of a request's body at most
/// @param heartbeat how often a stream says that it is alive when nothing else happens
/// @param requestTime how long a run may take for one request
/// @param drainTime how long runs may go on when the server is told to stop
/// @param bufferEvents events that may wait for a slow reader of a stream
/// @param bufferChars characters in them
/// @param channels which chats of other networks are heard
public record ServerOptions(
        String bind,
        int port,
        int bodyMax,
        Duration heartbeat,
        Duration requestTime,
        Duration drainTime,
        int bufferEvents,
        int bufferChars,
        ChannelRules channels) {

    public static final int PORT = 3400;

    public ServerOptions {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("a port is between 0 and 65535, not " + port);
        }
    }

    public static ServerOptions standard() {
        return new ServerOptions(
                "127.0.0.1",
                PORT,
                1024 * 1024,
                Duration.ofSeconds(10),
                Duration.ofMinutes(30),
                Duration.ofSeconds(20),
                1_000,
                64 * 1024,
                ChannelRules.NONE);
    }

    public ServerOptions on(String newBind, int newPort) {
        return new ServerOptions(
                newBind, newPort, bodyMax, heartbeat, requestTime, drainTime, bufferEvents, bufferChars, channels);
    }

    public ServerOptions withBodyMax(int newMax) {
        return new ServerOptions(
                bind, port, newMax, heartbeat, requestTime, drainTime, bufferEvents, bufferChars, channels);
    }

    public ServerOptions withHeartbeat(Duration newHeartbeat) {
        return new ServerOptions(
                bind, port, bodyMax, newHeartbeat, requestTime, drainTime, bufferEvents, bufferChars, channels);
    }

    public ServerOptions withRequestTime(Duration newTime) {
        return new ServerOptions(
                bind, port, bodyMax, heartbeat, newTime, drainTime, bufferEvents, bufferChars, channels);
    }

    public ServerOptions withDrainTime(Duration newTime) {
        return new ServerOptions(
                bind, port, bodyMax, heartbeat, requestTime, newTime, bufferEvents, bufferChars, channels);
    }

    public ServerOptions withBuffer(int events, int chars) {
        return new ServerOptions(bind, port, bodyMax, heartbeat, requestTime, drainTime, events, chars, channels);
    }

    public ServerOptions withChannels(ChannelRules newRules) {
        return new ServerOptions(
                bind, port, bodyMax, heartbeat, requestTime, drainTime, bufferEvents, bufferChars, newRules);
    }
}

package dev.skein.server.gate;

import dev.skein.server.auth.Door.Lock;
import dev.skein.server.auth.JwtSettings;
import dev.skein.server.setup.ChannelRules;
import java.time.Duration;
import java.util.Optional;

/// Everything that can be set about the server.
///
/// @param channels which chats of other networks are heard
/// @param request how long the run of one request may take
/// @param drain how long requests that are under way may take when it stops
public record ServerSettings(
        String host,
        int port,
        Lock lock,
        GateOptions gate,
        Optional<JwtSettings> jwt,
        Duration request,
        Duration drain,
        ChannelRules channels) {

    public static final ServerSettings STANDARD = new ServerSettings(
            "127.0.0.1",
            3400,
            Lock.ON,
            GateOptions.STANDARD,
            Optional.empty(),
            Duration.ofMinutes(30),
            Duration.ofSeconds(30),
            ChannelRules.NONE);
}

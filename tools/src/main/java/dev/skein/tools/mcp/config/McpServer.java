package dev.skein.tools.mcp.config;

import dev.skein.tools.mcp.oauth.OAuthClient;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A server as it is configured, with every variable filled in.
///
/// @param idle how long it is kept when nobody uses it; null for what all others do
/// @param timeout how long a call may take
/// @param startTimeout how long its start may take
public record McpServer(
        String name, Reach reach, @Nullable Duration idle, Duration timeout, Duration startTimeout, Protocol protocol) {

    public static final Duration TIMEOUT = Duration.ofMinutes(2);
    public static final Duration START_TIMEOUT = Duration.ofSeconds(30);

    /// How a server is reached.
    public sealed interface Reach {

        /// As our child. `env` is all it gets besides the usual.
        record Child(
                String command,
                List<String> args,
                Map<String, String> env,
                @Nullable Path cwd) implements Reach {
            public Child {
                args = List.copyOf(args);
                env = Map.copyOf(env);
            }

            /// Says nothing of what it holds: there are secrets among it.
            @Override
            public String toString() {
                return command;
            }
        }

        /// Over HTTP.
        record Web(URI url, Map<String, String> headers, OAuthClient oauth) implements Reach {
            public Web {
                headers = Map.copyOf(headers);
            }

            /// Where we introduce ourselves, if we have to log in.
            public Web(URI url, Map<String, String> headers) {
                this(url, headers, OAuthClient.NONE);
            }

            /// Whether what we send says who we are, so that there is no need to log in.
            public boolean isKnown() {
                return headers.keySet().stream().anyMatch(name -> name.equalsIgnoreCase("Authorization"));
            }

            @Override
            public String toString() {
                return url.getScheme() + "://" + url.getRawAuthority() + url.getRawPath();
            }
        }
    }

    /// Which life of the protocol a server lives.
    public enum Protocol {
        /// Found out by asking.
        AUTO,
        /// With a handshake, up to 2025-11-25.
        SESSION,
        /// Without one, from 2026-07-28 on.
        STATELESS
    }

    /// A server with all the usual.
    public static McpServer of(String name, Reach reach) {
        return new McpServer(name, reach, null, TIMEOUT, START_TIMEOUT, Protocol.AUTO);
    }

    public McpServer withIdle(Duration time) {
        return new McpServer(name, reach, time, timeout, startTimeout, protocol);
    }

    public McpServer withTimeouts(Duration call, Duration start) {
        return new McpServer(name, reach, idle, call, start, protocol);
    }

    public McpServer withProtocol(Protocol life) {
        return new McpServer(name, reach, idle, timeout, startTimeout, life);
    }

    /// What the names of its tools begin with: its own, with what a model's provider would refuse left out.
    public String prefix() {
        return name.replaceAll("[^A-Za-z0-9-]+", "_").replaceAll("^_+|_+$", "");
    }
}

package dev.skein.provider;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.regex.Pattern;

/// Where an Ollama is, and whether it is there.
final class OllamaHost {

    private static final int PORT = 11_434;
    private static final int CONNECT_MILLIS = 200;
    private static final Pattern SCHEME = Pattern.compile("^[a-zA-Z][a-zA-Z0-9+.-]*://");
    private static final Pattern PORT_AT_THE_END = Pattern.compile(":\\d+$");

    private OllamaHost() {}

    /// The address to call, of what `OLLAMA_HOST` may hold: a host, a host and port, an address to listen at.
    static String addressOf(String host) {
        if (SCHEME.matcher(host).find()) {
            return host.replace("//0.0.0.0", "//127.0.0.1");
        }
        var reachable = host.replaceFirst("^0\\.0\\.0\\.0", "127.0.0.1");
        return "http://" + (PORT_AT_THE_END.matcher(reachable).find() ? reachable : reachable + ":" + PORT);
    }

    /// Whether somebody listens there. Takes no time if the answer is no on this machine.
    static boolean listensAt(URI address) {
        try (var socket = new Socket()) {
            var port = address.getPort() < 0 ? PORT : address.getPort();
            socket.connect(new InetSocketAddress(address.getHost(), port), CONNECT_MILLIS);
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}

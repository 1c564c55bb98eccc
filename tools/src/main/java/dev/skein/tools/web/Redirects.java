package dev.skein.tools.web;

import dev.skein.tools.call.Refused;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/// Goes where a URL leads, a few times, and checks each address before it is asked.
record Redirects(Predicate<InetAddress> allowed, Destination.Resolver resolver, SSLSocketFactory tls, int bytesMax) {

    private static final int REDIRECTS_MAX = 5;
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

    /// What came from where in the end.
    record End(URI uri, HttpGet.Response response) {}

    /// @param current the connection in use, so that somebody else can close it
    End follow(String first, AtomicReference<@Nullable HttpGet> current) throws IOException {
        var url = first;
        for (int hop = 0; hop <= REDIRECTS_MAX; hop++) {
            var destination = Destination.of(url, allowed, resolver);
            HttpGet.Response response;
            try (var get = new HttpGet(destination, tls)) {
                current.set(get);
                response = get.send(bytesMax);
            }
            var location = response.header("location");
            if (!REDIRECTS.contains(response.status()) || location.isEmpty()) {
                return new End(destination.uri(), response);
            }
            url = next(destination, location.get());
        }
        throw new Refused("'" + first + "' leads on more than " + REDIRECTS_MAX + " times; use the URL it leads to");
    }

    private static String next(Destination from, String location) {
        URI to;
        try {
            to = from.uri().resolve(location);
        } catch (IllegalArgumentException _) {
            throw new Refused("'" + from.uri() + "' leads to '" + location + "', which is not a URL");
        }
        if (from.isSecure() && "http".equalsIgnoreCase(to.getScheme())) {
            throw new Refused(
                    "'" + from.uri() + "' leads from https to http; fetch '" + to + "' itself if it is meant");
        }
        return to.toString();
    }
}

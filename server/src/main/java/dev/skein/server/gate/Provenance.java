package dev.skein.server.gate;

import dev.skein.server.gate.RouteRule.Access;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerRequestHeaders;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Where a request comes from and where it thinks it goes: against pages that get at us through a name of their own.
final class Provenance {

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final int PORT_DIGITS = 5;

    private static final Pattern TRICKS =
            Pattern.compile("(?i)//|/\\.{1,2}(?:/|;|$)|%2e|%2f|%5c|%25|%[01][0-9a-f]|%7f|\\\\|;");
    private static final Pattern FORM =
            Pattern.compile("(?i)\\s*(?:text/plain|application/x-www-form-urlencoded|multipart/form-data)");

    /// There is no such route, which only callers are told.
    static final RouteRule UNKNOWN = RouteRule.callers("none");

    private Provenance() {}

    /// The route of a request that comes from where it may.
    ///
    /// @throws Refusal if it does not, or makes no sense
    static RouteRule route(
            RoutingRequest request, RoutingResponse response, Visit visit, Routes routes, GateOptions options) {
        var headers = request.headers();
        var path = request.prologue().uriPath().rawPath();
        var isPlain = isPlain(path);
        var found = isPlain ? routes.rule(visit.method(), path) : Optional.<RouteRule>empty();
        if (found.isPresent() && found.get().access() == Access.PROBE) {
            return found.get();
        }
        var host = host(headers, options);
        origin(headers, host, options).ifPresent(page -> ResponseHeaders.shared(response.headers(), page));
        if (headers.size() > options.sizes().headers()) {
            throw Refusal.tooLarge(431, "number of headers");
        }
        if (!isPlain) {
            throw Refusal.invalid(400, "the path must not have dot segments, nor escaped slashes or controls");
        }
        if (Gate.hasBody(request) && isForm(headers)) {
            throw Refusal.invalid(415, "send JSON, with 'Content-Type: application/json'");
        }
        return found.orElse(UNKNOWN);
    }

    /// Nothing that somebody else could read as another path.
    private static boolean isPlain(String rawPath) {
        return rawPath.startsWith("/")
                && (isSimple(rawPath) || !TRICKS.matcher(rawPath).find());
    }

    /// Nearly all paths are, and to see that is cheaper than to look for each trick.
    private static boolean isSimple(String rawPath) {
        for (int i = 1; i < rawPath.length(); i++) {
            var c = rawPath.charAt(i);
            var isWord = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
            if (!isWord && (c != '/' || rawPath.charAt(i - 1) == '/')) {
                return false;
            }
        }
        return true;
    }

    /// What a page of another site could send without asking first.
    private static boolean isForm(ServerRequestHeaders headers) {
        var type = first(headers, HeaderNames.CONTENT_TYPE);
        return type != null && FORM.matcher(type).lookingAt();
    }

    /// @throws Refusal if the request is meant for somebody else
    static String host(ServerRequestHeaders headers, GateOptions options) {
        var sent = single(headers, HeaderNames.HOST);
        if (sent == null) {
            throw Refusal.host();
        }
        var host = sent.toLowerCase(Locale.ROOT);
        var name = withoutPort(host);
        if (!LOOPBACK.contains(name)
                && !options.hosts().contains(host)
                && !options.hosts().contains(name)) {
            throw Refusal.host();
        }
        return host;
    }

    private static String withoutPort(String host) {
        var colon = host.lastIndexOf(':');
        var digits = host.length() - colon - 1;
        if (colon < 0 || digits < 1 || digits > PORT_DIGITS) {
            return host;
        }
        for (int i = colon + 1; i < host.length(); i++) {
            if (host.charAt(i) < '0' || host.charAt(i) > '9') {
                return host;
            }
        }
        return host.substring(0, colon);
    }

    /// The origin, if a page of another site asks and may. Empty if it is ours, or no page at all.
    ///
    /// @throws Refusal if it may not
    static Optional<String> origin(ServerRequestHeaders headers, String host, GateOptions options) {
        var origin = first(headers, HeaderNames.ORIGIN);
        if (origin == null || origin.equals("http://" + host) || origin.equals("https://" + host)) {
            return Optional.empty();
        }
        if (!options.origins().contains(origin)) {
            throw Refusal.origin();
        }
        return Optional.of(origin);
    }

    /// The address of the client. What proxies say counts only if they are ours.
    static String remote(ServerRequestHeaders headers, @Nullable String peer, Set<InetAddress> proxies) {
        var address = peer == null ? "unknown" : peer;
        if (!isOneOf(proxies, address) || !headers.contains(HeaderNames.X_FORWARDED_FOR)) {
            return address;
        }
        var hops = String.join(",", headers.values(HeaderNames.X_FORWARDED_FOR)).split(",");
        for (int i = hops.length - 1; i >= 0; i--) {
            var hop = hops[i].strip();
            if (literal(hop).isEmpty()) {
                return address;
            }
            address = hop;
            if (!isOneOf(proxies, hop)) {
                return address;
            }
        }
        return address;
    }

    private static boolean isOneOf(Set<InetAddress> proxies, String address) {
        return !proxies.isEmpty() && literal(address).filter(proxies::contains).isPresent();
    }

    private static Optional<InetAddress> literal(String address) {
        try {
            return Optional.of(InetAddress.ofLiteral(address));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// The value of a header that is there once and is no list; else null.
    static @Nullable String single(ServerRequestHeaders headers, HeaderName name) {
        if (!headers.contains(name)) {
            return null;
        }
        var header = headers.get(name);
        var value = header.get();
        return header.valueCount() == 1 && value.indexOf(',') < 0 ? value : null;
    }

    private static @Nullable String first(ServerRequestHeaders headers, HeaderName name) {
        return headers.contains(name) ? String.join(",", headers.values(name)) : null;
    }
}

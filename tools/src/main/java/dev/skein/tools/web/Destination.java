package dev.skein.tools.web;

import dev.skein.tools.call.Refused;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// Where a request goes: the URL, and the one address that was checked. The connection is made to that address and to
/// no other, so a name that means something else a moment later changes nothing.
record Destination(URI uri, InetAddress address) {

    private static final int URL_CHARS_MAX = 4000;

    /// What some programs take for an address although it is not written as one: 2130706433, 0x7f.1, 127.1, 010.0.0.1.
    private static final Pattern ODD_NUMBER =
            Pattern.compile("(?:0x[0-9a-f]*|[0-9]+)(?:\\.(?:0x[0-9a-f]*|[0-9]+))*\\.?");

    private static final Pattern DOTTED = Pattern.compile("(?:(?:0|[1-9][0-9]{0,2})\\.){3}(?:0|[1-9][0-9]{0,2})");

    /// Finds the addresses of a name.
    interface Resolver {
        List<InetAddress> resolve(String host) throws UnknownHostException;
    }

    /// Checks a URL and every address its name has.
    static Destination of(String url, Predicate<InetAddress> allowed, Resolver resolver) throws IOException {
        var uri = parsed(url);
        var host = host(uri);
        List<InetAddress> addresses;
        try {
            addresses = resolver.resolve(host);
        } catch (UnknownHostException _) {
            throw new Refused("the host '" + host + "' has no address; check its name");
        }
        if (addresses.isEmpty()) {
            throw new Refused("the host '" + host + "' has no address; check its name");
        }
        for (var address : addresses) {
            if (!allowed.test(address)) {
                throw new Refused("the host '" + host + "' is at " + address.getHostAddress()
                        + ", which is not on the public internet; such addresses are not fetched");
            }
        }
        return new Destination(uri, addresses.getFirst());
    }

    String host() {
        return Objects.requireNonNull(uri.getHost());
    }

    boolean isSecure() {
        return "https".equals(uri.getScheme());
    }

    int port() {
        return uri.getPort() >= 0 ? uri.getPort() : isSecure() ? 443 : 80;
    }

    /// What is asked for, as it stands in the request.
    String target() {
        var path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        return uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
    }

    private static URI parsed(String url) {
        if (url.length() > URL_CHARS_MAX) {
            throw new Refused("the URL is longer than " + URL_CHARS_MAX + " characters");
        }
        URI uri;
        try {
            uri = new URI(new URI(url.strip()).toASCIIString());
        } catch (URISyntaxException e) {
            throw new Refused("'" + url + "' is not a URL: " + e.getReason());
        }
        var scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw new Refused("'" + url + "' is neither http nor https; only those are fetched");
        }
        if (uri.getRawUserInfo() != null
                || (uri.getRawAuthority() != null && uri.getRawAuthority().contains("@"))) {
            throw new Refused("the URL holds a user name or password; leave them out");
        }
        if (uri.getHost() == null || uri.getPort() > 65_535 || uri.getPort() == 0) {
            throw new Refused("'" + url + "' has no proper host; write it as https://example.org/page");
        }
        return URI.create(scheme + url(uri));
    }

    /// Everything after the scheme, without the fragment.
    private static String url(URI uri) {
        return ":" + uri.getRawSchemeSpecificPart();
    }

    private static String host(URI uri) {
        var host = Objects.requireNonNull(uri.getHost()).toLowerCase(Locale.ROOT);
        if (ODD_NUMBER.matcher(host).matches() && !DOTTED.matcher(host).matches()) {
            throw new Refused("the host '" + host + "' is a number in an unusual form; write it as four numbers");
        }
        if (host.contains("%")) {
            throw new Refused("the host '" + host + "' names a network interface; leave that out");
        }
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }
}

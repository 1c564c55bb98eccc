package dev.skein.provider.http;

import dev.skein.failure.InvalidRequest;
import java.net.URI;
import java.net.URISyntaxException;

/// Where a provider answers, and with which key. Shows neither the key nor what may be secret in the address.
///
/// @param keyVariable where the key comes from; empty if nobody knows
public record Endpoint(URI baseUrl, Secret key, String keyVariable) {

    public Endpoint {
        if (baseUrl.getHost() == null || !("http".equals(baseUrl.getScheme()) || "https".equals(baseUrl.getScheme()))) {
            throw new InvalidRequest("a provider's address begins with http:// or https:// and names a host");
        }
    }

    public Endpoint(URI baseUrl, Secret key) {
        this(baseUrl, key, "");
    }

    /// Reads an address.
    ///
    /// @param name what to call the address in a complaint, as it may hold a secret
    public static Endpoint of(String name, String baseUrl, Secret key, String keyVariable) {
        try {
            return new Endpoint(new URI(baseUrl.strip()), key, keyVariable);
        } catch (URISyntaxException _) {
            throw new InvalidRequest(name + " is no address: it should look like https://host/v1");
        }
    }

    /// The address without what may be secret in it: user, password, query.
    public String shown() {
        var port = baseUrl.getPort() < 0 ? "" : ":" + baseUrl.getPort();
        return "%s://%s%s%s".formatted(baseUrl.getScheme(), baseUrl.getHost(), port, baseUrl.getPath());
    }

    @Override
    public String toString() {
        return baseUrl.getScheme() + "://" + baseUrl.getHost();
    }
}

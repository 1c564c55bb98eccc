package dev.skein.provider.http;

import dev.skein.failure.InvalidRequest;
import java.net.URI;
import java.net.URISyntaxException;

/// Where a provider answers, and with which key. Shows neither the key nor what may be secret in the address.
public record Endpoint(URI baseUrl, Secret key) {

    public Endpoint {
        if (baseUrl.getHost() == null || !("http".equals(baseUrl.getScheme()) || "https".equals(baseUrl.getScheme()))) {
            throw new InvalidRequest("a provider's address begins with http:// or https:// and names a host");
        }
    }

    /// Reads an address.
    ///
    /// @param name what to call the address in a complaint, as it may hold a secret
    public static Endpoint of(String name, String baseUrl, Secret key) {
        try {
            return new Endpoint(new URI(baseUrl.strip()), key);
        } catch (URISyntaxException _) {
            throw new InvalidRequest(name + " is no address: it should look like https://host/v1");
        }
    }

    @Override
    public String toString() {
        return baseUrl.getScheme() + "://" + baseUrl.getHost();
    }
}

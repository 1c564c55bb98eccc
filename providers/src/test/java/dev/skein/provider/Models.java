package dev.skein.provider;

import dev.skein.model.Model;
import dev.skein.provider.http.Endpoint;
import dev.skein.provider.http.Patience;
import dev.skein.provider.http.Secret;
import dev.skein.provider.http.StreamingHttp;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.function.BiFunction;

/// Makes models for tests.
public final class Models {

    private static final HttpClient CLIENT = StreamingHttp.newClient();

    private Models() {}

    public static Model to(
            URI baseUrl, String key, Duration silence, BiFunction<Endpoint, StreamingHttp, Model> model) {
        var secret = new Secret(key);
        var http = new StreamingHttp(CLIENT, secret, Patience.DEFAULT.withSilence(silence));
        return model.apply(new Endpoint(baseUrl, secret), http);
    }
}

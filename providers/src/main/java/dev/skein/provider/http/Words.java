package dev.skein.provider.http;

import java.net.URI;
import java.time.Duration;

/// Times and addresses as messages show them.
final class Words {

    private Words() {}

    static String of(Duration time) {
        return time.toMillis() % 1_000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }

    /// Host and port: the rest may be secret.
    static String of(URI url) {
        return url.getPort() < 0 ? url.getHost() : url.getHost() + ":" + url.getPort();
    }
}

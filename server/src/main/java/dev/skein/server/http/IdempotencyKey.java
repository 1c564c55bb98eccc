package dev.skein.server.http;

import java.util.Optional;

/// The caller's name for one request, by which a retry is recognised.
public record IdempotencyKey(String text) {

    public static final String HEADER = "Idempotency-Key";

    private static final int LENGTH_MAX = 255;

    public static Optional<IdempotencyKey> of(Exchange exchange) {
        return exchange.header(HEADER).map(IdempotencyKey::new);
    }

    public IdempotencyKey {
        if (text.isBlank() || text.length() > LENGTH_MAX || !text.chars().allMatch(c -> c >= ' ' && c < 127)) {
            throw HttpFailure.invalid(
                    "the header " + HEADER + " must have 1 to " + LENGTH_MAX + " printable ASCII characters");
        }
    }

    /// What was asked for, whatever the manner in which the answer is wanted.
    public static String digest(Exchange exchange, Fields body) {
        var asked = body.object().deepCopy();
        asked.remove("stream");
        asked.remove("on_disconnect");
        return Digest.of(exchange.route().name(), asked.toString());
    }
}

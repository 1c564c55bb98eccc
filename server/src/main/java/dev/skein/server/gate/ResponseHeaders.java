package dev.skein.server.gate;

import io.helidon.http.Header;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.ServerResponseHeaders;
import java.util.List;

/// What every answer says to browsers: run nothing but our own, keep nothing, show it in no frame.
final class ResponseHeaders {

    /// Which request an answer belongs to.
    static final HeaderName REQUEST_ID = HeaderNames.create("X-Request-Id");

    private static final List<Header> SAFE = List.of(
            constant(
                    "Content-Security-Policy",
                    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
                            + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
            constant("X-Content-Type-Options", "nosniff"),
            constant("X-Frame-Options", "DENY"),
            constant("Referrer-Policy", "no-referrer"),
            constant("Cross-Origin-Opener-Policy", "same-origin"),
            constant("Cross-Origin-Resource-Policy", "same-origin"),
            constant("Cache-Control", "no-store"));

    private ResponseHeaders() {}

    static void safe(ServerResponseHeaders headers, String requestId) {
        SAFE.forEach(headers::set);
        headers.set(REQUEST_ID, requestId);
    }

    /// For a page of another site that may ask.
    static void shared(ServerResponseHeaders headers, String origin) {
        headers.set(HeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.set(HeaderNames.ACCESS_CONTROL_EXPOSE_HEADERS, "X-Request-Id, Retry-After");
        headers.set(HeaderNames.VARY, "Origin");
    }

    /// The answer to the question whether such a page may ask.
    static void preflight(ServerResponseHeaders headers) {
        headers.set(HeaderNames.ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, PUT, PATCH, DELETE");
        headers.set(
                HeaderNames.ACCESS_CONTROL_ALLOW_HEADERS,
                "Authorization, Content-Type, Accept, Idempotency-Key, Last-Event-ID, X-Request-Id");
        headers.set(HeaderNames.ACCESS_CONTROL_MAX_AGE, "600");
    }

    private static Header constant(String name, String value) {
        return HeaderValues.createCached(name, value);
    }
}

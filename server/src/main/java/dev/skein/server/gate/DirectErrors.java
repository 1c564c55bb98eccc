package dev.skein.server.gate;

import dev.skein.failure.InvalidRequest;
import dev.skein.failure.NoSuchRoute;
import dev.skein.failure.RequestTooLarge;
import dev.skein.failure.SkeinException;
import dev.skein.session.Ids;
import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.http.DirectHandlers;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/// Gives the failures of the web server itself, before or beside any route, the shape of all others. What went wrong
/// inside is not told.
final class DirectErrors implements DirectHandler {

    private final Ids ids;

    private DirectErrors(Ids ids) {
        this.ids = ids;
    }

    static DirectHandlers handlers(Ids ids) {
        var errors = new DirectErrors(ids);
        var handlers = DirectHandlers.builder();
        for (var type : EventType.values()) {
            handlers.addHandler(type, errors);
        }
        return handlers.build();
    }

    @Override
    public TransportResponse handle(
            TransportRequest request,
            EventType type,
            Status status,
            ServerResponseHeaders headers,
            @Nullable String message) {
        var id = MDC.get(Gate.REQUEST_ID);
        var requestId = id == null ? ids.request() : id;
        ResponseHeaders.safe(headers, requestId);
        headers.set(HeaderNames.CONTENT_TYPE, ErrorBody.CONTENT_TYPE);
        var answered = isUnread(request) && status.code() >= 500 ? Status.BAD_REQUEST_400 : status;
        return TransportResponse.builder()
                .status(answered)
                .headers(headers)
                .entity(body(answered.code(), requestId).bytes())
                .keepAlive(false)
                .build();
    }

    /// Whether it failed before its first line was understood, for which only the client can be to blame.
    private static boolean isUnread(TransportRequest request) {
        return request.path() == null || request.path().isEmpty();
    }

    private static ErrorBody body(int status, String requestId) {
        return status >= 500
                ? new ErrorBody("internal.unexpected", "something went wrong in the server", requestId)
                : ErrorBody.of(failure(status), requestId);
    }

    private static SkeinException failure(int status) {
        return switch (status) {
            case 404, 405 -> new NoSuchRoute();
            case 413 -> new RequestTooLarge("body");
            case 414, 431 -> new RequestTooLarge("address or headers");
            default ->
                new InvalidRequest("the request is no valid HTTP, or too large; check its first line and headers");
        };
    }
}

package dev.skein.server.http;

import dev.skein.failure.FailureKind;
import dev.skein.failure.KeyConflict;
import dev.skein.failure.SkeinException;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// A failure as HTTP tells it.
public record Problem(int status, String code, String message, Map<String, String> headers) {

    private static final Logger LOG = LoggerFactory.getLogger(Problem.class);

    /// A defect of the server. Never raised on purpose.
    private static final String UNEXPECTED = "internal.unexpected";

    private static final String FULL = "store.full";

    public static Problem of(Throwable failure, String requestId) {
        return switch (failure) {
            case HttpFailure http ->
                new Problem(http.status(), http.code(), String.valueOf(http.getMessage()), http.headers());
            case SkeinException known ->
                new Problem(status(known), known.code(), String.valueOf(known.getMessage()), Map.of());
            default -> {
                LOG.error("request {} failed unexpectedly", requestId, failure);
                yield new Problem(
                        500,
                        UNEXPECTED,
                        "something went wrong in the server; its log says more about request " + requestId,
                        Map.of("Connection", "close"));
            }
        };
    }

    private static int status(SkeinException failure) {
        if (failure instanceof KeyConflict) {
            return 422;
        }
        return failure.code().equals(FULL) ? 507 : status(failure.kind());
    }

    /// The status that stands for a kind of failure.
    public static int status(FailureKind kind) {
        return switch (kind) {
            case INVALID_REQUEST -> 400;
            case UNAUTHORIZED -> 401;
            case FORBIDDEN -> 403;
            case NOT_FOUND -> 404;
            case CONFLICT -> 409;
            case LOCKED -> 423;
            case LIMIT -> 429;
            case CANCELLED -> 499;
            case PROVIDER, TOOL -> 502;
            case IO -> 503;
            case TIMEOUT -> 504;
        };
    }

    public ObjectNode json(String requestId) {
        var body = JsonNodeFactory.instance.objectNode();
        body.putObject("error").put("code", code).put("message", message).put("request_id", requestId);
        return body;
    }
}

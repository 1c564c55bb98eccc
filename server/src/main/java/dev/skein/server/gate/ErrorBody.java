package dev.skein.server.gate;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.skein.failure.SkeinException;
import dev.skein.wire.Json;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerResponse;

/// How every failure looks: `{"error":{"code","message","request_id"}}`.
public record ErrorBody(String code, String message, String requestId) {

    /// The type of its bytes.
    public static final String CONTENT_TYPE = "application/json";

    public static ErrorBody of(SkeinException failure, String requestId) {
        return new ErrorBody(failure.code(), String.valueOf(failure.getMessage()), requestId);
    }

    public byte[] bytes() {
        var root = Json.MAPPER.createObjectNode();
        root.putObject("error").put("code", code).put("message", message).put("request_id", requestId);
        return root.toString().getBytes(UTF_8);
    }

    public void send(ServerResponse response, int status) {
        response.status(Status.create(status))
                .header("Content-Type", CONTENT_TYPE)
                .send(bytes());
    }
}

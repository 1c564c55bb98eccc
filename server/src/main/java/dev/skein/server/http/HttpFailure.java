package dev.skein.server.http;

import java.util.Map;

/// A request cannot be answered as asked, for a reason that only HTTP knows.
public final class HttpFailure extends RuntimeException {

    private final int status;
    private final String code;
    private final Map<String, String> headers;

    private HttpFailure(int status, String code, String message, Map<String, String> headers) {
        super(message);
        this.status = status;
        this.code = code;
        this.headers = Map.copyOf(headers);
    }

    /// The request makes no sense; `message` names the field.
    public static HttpFailure invalid(String message) {
        return new HttpFailure(400, "request.invalid", message, Map.of());
    }

    /// The body broke off, or is not framed as HTTP wants it.
    public static HttpFailure unreadable() {
        return new HttpFailure(
                400, "request.invalid", "the body did not arrive whole; send it again", Map.of("Connection", "close"));
    }

    /// A chat that the operator did not allow.
    public static HttpFailure unheard(String channel, String chat) {
        return new HttpFailure(
                403,
                "channel.not_allowed",
                "chat '" + chat + "' on channel '" + channel + "' is not heard here; the operator allows chats in"
                        + " config.yaml, server.channels",
                Map.of());
    }

    /// There is none, or it is somebody else's.
    public static HttpFailure noSchedule(String name) {
        return new HttpFailure(
                404,
                "schedule.not_found",
                "there is no schedule '" + name + "'; GET /v1/schedules shows yours",
                Map.of());
    }

    public static HttpFailure wrongMethod(String allowed) {
        return new HttpFailure(
                405, "route.method", "this address takes " + allowed + " only", Map.of("Allow", allowed));
    }

    public static HttpFailure tooLarge(long max) {
        return new HttpFailure(
                413,
                "request.too_large",
                "the body has more than " + max + " bytes; send less",
                Map.of("Connection", "close"));
    }

    public static HttpFailure wrongType() {
        return new HttpFailure(
                415,
                "request.media_type",
                "the body must be JSON; send it with 'Content-Type: application/json'",
                Map.of());
    }

    public static HttpFailure timeout() {
        return new HttpFailure(
                504,
                "request.timeout",
                "the run took too long and was stopped; what was finished is kept, and 'continue' goes on",
                Map.of());
    }

    public static HttpFailure draining() {
        return new HttpFailure(
                503,
                "server.draining",
                "the server is about to stop; try again in a moment",
                Map.of("Retry-After", "5", "Connection", "close"));
    }

    /// The reader of a stream did not keep up. Told within the stream, never as a status.
    public static HttpFailure tooSlow(String last) {
        return new HttpFailure(
                503,
                "stream.too_slow",
                "events came faster than they were read; reconnect to the session's events with Last-Event-ID: " + last,
                Map.of());
    }

    /// What an earlier run failed with, told again.
    public static HttpFailure again(int status, String code, String message) {
        return new HttpFailure(status, code, message, Map.of());
    }

    public int status() {
        return status;
    }

    /// Stable and documented in `docs/errors.md`.
    public String code() {
        return code;
    }

    public Map<String, String> headers() {
        return headers;
    }
}

package dev.skein.server.http;

import dev.skein.failure.Unauthorized;
import dev.skein.server.auth.Caller;
import dev.skein.server.connection.Detached;
import dev.skein.server.connection.Sequel;
import dev.skein.server.gate.Passage;
import dev.skein.server.route.Match;
import dev.skein.server.route.Route;
import dev.skein.server.trace.RequestSpan;
import dev.skein.wire.Json;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// One request and its answer. For use by one thread.
public final class Exchange {

    public static final String REQUEST_ID = "X-Request-Id";

    private static final String JSON = "application/json";
    private static final Header IS_JSON = HeaderValues.createCached(HeaderNames.CONTENT_TYPE, JSON);
    private static final String EVENT_STREAM = "text/event-stream";

    private final ServerRequest request;
    private final ServerResponse response;
    private final Match.Found match;
    private final String id;
    private final int bodyMax;

    public Exchange(ServerRequest request, ServerResponse response, Match.Found match, String id, int bodyMax) {
        this.request = request;
        this.response = response;
        this.match = match;
        this.id = id;
        this.bodyMax = bodyMax;
    }

    /// What the request is called in logs and answers.
    public String id() {
        return id;
    }

    public Route route() {
        return match.route();
    }

    /// Who asks.
    ///
    /// @throws Unauthorized if nobody said so
    public Caller caller() {
        return request.context().get(Caller.class).orElseThrow(Unauthorized::new);
    }

    /// Whether who asks may still: a stream can outlive a key.
    public BooleanSupplier stillAllowed() {
        return request.context().get(Passage.class).map(Passage::validity).orElse(() -> true);
    }

    /// Says that the connection ends with this answer; before it begins.
    public void isLast() {
        response.header(HeaderValues.CONNECTION_CLOSE);
    }

    /// To be thrown: the sequel goes on with the stream that this answer has begun, and nothing of the request is kept.
    /// The answer must be the [last][#isLast].
    public Detached goOn(Sequel sequel) {
        return Passage.of(request).goOn(sequel);
    }

    /// The request as traces see it.
    public RequestSpan span() {
        return request.context().get(Passage.class).map(Passage::span).orElse(RequestSpan.NONE);
    }

    /// What stands in the path in this place.
    public String parameter(String name) {
        var value = match.parameters().get(name);
        if (value == null) {
            throw new IllegalStateException(match.route() + " has no {" + name + "}");
        }
        return value;
    }

    /// What stands in the query under this name; empty if nothing does.
    public Optional<String> query(String name) {
        try {
            return request.query().first(name).asOptional().filter(value -> !value.isEmpty());
        } catch (IllegalArgumentException _) {
            throw HttpFailure.invalid("the query cannot be read");
        }
    }

    public int queryNumber(String name, int otherwise, int max) {
        var text = query(name);
        try {
            var number = text.isEmpty() ? otherwise : Integer.parseInt(text.get());
            if (number >= 0 && number <= max) {
                return number;
            }
        } catch (NumberFormatException _) {
            // said below
        }
        throw HttpFailure.invalid("'" + name + "' in the query must be a whole number from 0 to " + max);
    }

    public Optional<String> header(String name) {
        return request.headers().first(HeaderNames.create(name));
    }

    /// Whether the caller would rather have a stream of events.
    public boolean acceptsEvents() {
        return header("Accept").filter(accept -> accept.contains(EVENT_STREAM)).isPresent();
    }

    /// The body, which must be a JSON object. No body at all is an empty object.
    public Fields body() {
        var bytes = bytes();
        if (bytes.length == 0) {
            return Fields.of(JsonNodeFactory.instance.objectNode());
        }
        var type = header("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        if (!type.equals(JSON) && !type.startsWith(JSON + ";")) {
            throw HttpFailure.wrongType();
        }
        return Fields.of(JsonBody.read(bytes));
    }

    private byte[] bytes() {
        if (!request.content().hasEntity()) {
            return new byte[0];
        }
        var length = request.headers().contentLength().orElse(-1);
        if (length > bodyMax) {
            throw HttpFailure.tooLarge(bodyMax);
        }
        // Room for as much as was announced: most bodies are small, and room for the longest is not.
        var bytes = read(length < 0 ? bodyMax : (int) length);
        if (bytes.length > bodyMax) {
            throw HttpFailure.tooLarge(bodyMax);
        }
        return bytes;
    }

    /// The stream is not closed: that would read the rest of a body that is too large.
    @SuppressWarnings("MustBeClosedChecker")
    private byte[] read(int most) {
        try {
            return request.content().inputStream().readNBytes(most + 1);
        } catch (RequestException e) {
            throw e.status().equals(Status.REQUEST_ENTITY_TOO_LARGE_413)
                    ? HttpFailure.tooLarge(bodyMax)
                    : HttpFailure.unreadable();
        } catch (IOException | RuntimeException _) {
            throw HttpFailure.unreadable();
        }
    }

    public void answer(ObjectNode json) {
        answer(200, json);
    }

    public void answer(int status, Object json) {
        response.status(status);
        response.header(IS_JSON);
        response.send(Json.MAPPER.writeValueAsBytes(json));
    }

    public void answer(String mediaType, byte[] bytes) {
        response.header(HeaderNames.CONTENT_TYPE, mediaType);
        response.send(bytes);
    }

    /// With headers that replace what filters may have set.
    public void answer(String mediaType, Map<String, String> headers, byte[] bytes) {
        headers.forEach((name, value) -> response.header(name, value));
        answer(mediaType, bytes);
    }

    /// The caller has it already.
    public void unchanged(Map<String, String> headers) {
        headers.forEach((name, value) -> response.header(name, value));
        response.status(304);
        response.send();
    }

    public void done() {
        response.status(204);
        response.send();
    }

    /// The failure, if an answer has not begun.
    public void fail(Problem problem) {
        fail(response, problem, id);
    }

    public static void fail(ServerResponse response, Problem problem, String id) {
        problem.headers().forEach(response::header);
        response.status(problem.status());
        response.header(IS_JSON);
        response.send(Json.MAPPER.writeValueAsBytes(problem.json(id)));
    }

    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /// Opens the answer as a stream of events.
    public OutputStream eventStream() {
        request.context().get(Passage.class).ifPresent(Passage::streams);
        return stream(EVENT_STREAM);
    }

    public OutputStream stream(String mediaType) {
        response.header(HeaderNames.CONTENT_TYPE, mediaType);
        response.header(HeaderNames.CACHE_CONTROL, "no-store");
        return response.outputStream();
    }
}

package dev.skein.provider.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.HttpMethod;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.http.client.sse.ServerSentEventContext;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import dev.skein.wire.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// LangChain4j's way to the network: each call blocks its own thread until the stream is over.
///
/// LangChain4j's client for the JDK runs streams on the common pool, at most a few hundred at once, and cannot be
/// stopped before the first event. This one needs a virtual thread per call and nothing else, and every call is an
/// [HttpCall] that can be hung up.
///
/// HTTP/1.1 always: each stream has its own connection, so cutting one harms no other, and servers at a plain `http:`
/// address need not understand an upgrade. Redirects are not followed: they could carry the key elsewhere.
///
/// Safe for use by many threads.
public final class StreamingHttp implements HttpClient {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(15);

    private static final int ERROR_BODY_MAX = 4_096;
    private static final int PIECE_MAX = 200;

    /// What some providers send as the last event.
    private static final String LAST = "[DONE]";

    private final java.net.http.HttpClient client;
    private final Secret key;
    private final Patience patience;

    /// Sends through a shared client.
    ///
    /// @param key what must not appear in a failure's message
    public StreamingHttp(java.net.http.HttpClient client, Secret key, Patience patience) {
        this.client = client;
        this.key = key;
        this.patience = patience;
    }

    /// A JDK client fit for many streams at once. Make one and share it.
    public static java.net.http.HttpClient newClient() {
        return java.net.http.HttpClient.newBuilder()
                .version(java.net.http.HttpClient.Version.HTTP_1_1)
                .followRedirects(java.net.http.HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT_TIMEOUT)
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .build();
    }

    /// For LangChain4j, which asks for a builder. Its timeouts are ignored, as ours are above.
    public HttpClientBuilder asBuilder() {
        return new Given(this);
    }

    /// Hears the events of a stream, in order.
    @FunctionalInterface
    public interface Listener {
        void hear(JsonNode event) throws IOException;
    }

    /// Posts JSON under the current [HttpCall] and hands over each event of the answer.
    ///
    /// @throws StatusFailed if the status is no success
    /// @throws CallFailed if there is no answer, or it breaks off, or makes no sense
    public void post(URI url, Map<String, String> headers, JsonNode body, Framing framing, Listener listener)
            throws IOException, InterruptedException {
        var request = HttpRequest.builder()
                .method(HttpMethod.POST)
                .url(url.toString())
                .addHeader("Content-Type", "application/json")
                .addHeaders(headers)
                .body(body.toString())
                .build();
        var call = currentCall();
        var response = open(request, framing, call);
        try (var stream = response.body()) {
            listen(stream, framing, call, event -> {
                if (!event.data().strip().equals(LAST)) {
                    listener.hear(Json.MAPPER.readTree(event.data()));
                }
            });
        }
    }

    @Override
    public SuccessfulHttpResponse execute(HttpRequest request) {
        throw new UnsupportedOperationException("only streams are asked for");
    }

    /// Hands over events until the stream ends, fails or is hung up; after a hang-up, nothing more. The parser is not
    /// used: it would go on after an event that its listener cannot read.
    @Override
    public void execute(HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener) {
        var call = currentCall();
        try {
            var response = open(request, Framing.EVENTS, call);
            try (var body = response.body()) {
                var context = new ServerSentEventContext(call);
                listener.onOpen(opened(response));
                listen(body, Framing.EVENTS, call, event -> listener.onEvent(event, context));
            }
            if (!call.isHungUp()) {
                listener.onClose();
            }
        } catch (InterruptedException _) {
            call.hangUp();
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            if (!call.isHungUp()) {
                listener.onError(e);
            }
        }
    }

    @FunctionalInterface
    private interface Ear {
        void hear(ServerSentEvent event) throws IOException;
    }

    private void listen(InputStream body, Framing framing, HttpCall call, Ear ear)
            throws IOException, InterruptedException {
        var events = new EventStream(body, framing);
        for (var event = next(events); event != null && !call.isHungUp(); event = next(events)) {
            if (!event.data().isBlank()) {
                ear.hear(sound(event));
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    private static @Nullable ServerSentEvent next(EventStream events) throws IOException {
        try {
            return events.next();
        } catch (CallFailed e) {
            throw e;
        } catch (IOException e) {
            throw CallFailed.passing("the connection broke in the middle of the reply", "try again", e);
        }
    }

    /// LangChain4j skips some of what it cannot read, and so part of a reply. We would rather fail. Errors come without
    /// the key, which some providers repeat.
    private ServerSentEvent sound(ServerSentEvent event) throws IOException {
        var data = event.data().strip();
        if (data.equals(LAST)) {
            return event;
        }
        try {
            if (data.startsWith("{") && Json.MAPPER.readTree(data).isObject()) {
                return data.contains("error") ? new ServerSentEvent(event.event(), key.removedFrom(data)) : event;
            }
        } catch (JacksonException _) {
            // Said below.
        }
        throw CallFailed.passing(
                "a piece of its reply is no JSON object: " + key.removedFrom(shortened(data, PIECE_MAX)),
                "try again, and look at the server if it stays so",
                null);
    }

    private HttpResponse<BodyStream> open(HttpRequest request, Framing framing, HttpCall call)
            throws IOException, InterruptedException {
        var response = send(request, call);
        call.reading(response.body());
        if (response.statusCode() / 100 != 2) {
            try (var body = response.body()) {
                var text = shortened(new String(body.readNBytes(ERROR_BODY_MAX), UTF_8), ERROR_BODY_MAX);
                throw new StatusFailed(
                        response.statusCode(), key.removedFrom(text), RetryAfter.in(response.headers(), text));
            }
        }
        var type = response.headers().firstValue("content-type").orElse("");
        if (!framing.fits(type)) {
            response.body().close();
            throw CallFailed.lasting(
                    "it answered with %s, not with a stream".formatted(shortened(type, PIECE_MAX)),
                    "check the address: it may lead to a web page");
        }
        return response;
    }

    private HttpResponse<BodyStream> send(HttpRequest request, HttpCall call) throws IOException, InterruptedException {
        var url = URI.create(request.url());
        try {
            return call.await(client.sendAsync(converted(request), _ -> new BodyStream(patience.silence())));
        } catch (HttpConnectTimeoutException e) {
            throw CallFailed.passing(
                    "no connection to %s within %s".formatted(Words.of(url), Words.of(CONNECT_TIMEOUT)),
                    "check the address and the network",
                    e);
        } catch (HttpTimeoutException e) {
            throw CallFailed.passing("no answer began within " + Words.of(patience.answer()), "try again later", e);
        } catch (ConnectException e) {
            throw e.getCause() instanceof UnresolvedAddressException || e.getCause() instanceof UnknownHostException
                    ? CallFailed.passing(
                            "no host called '%s' is known".formatted(url.getHost()),
                            "check the address and the network",
                            e)
                    : CallFailed.passing(
                            "nothing listens at " + Words.of(url), "check the address, or start the server", e);
        } catch (CallFailed e) {
            throw e;
        } catch (IOException e) {
            throw CallFailed.passing("the connection broke before the reply began", "try again", e);
        }
    }

    private static String shortened(String text, int max) {
        return text.length() <= max ? text.strip() : text.substring(0, max) + " …";
    }

    private java.net.http.HttpRequest converted(HttpRequest request) throws CallFailed {
        var body = request.body() == null ? BodyPublishers.noBody() : BodyPublishers.ofString(request.body());
        var converted = java.net.http.HttpRequest.newBuilder(URI.create(request.url()))
                .timeout(patience.answer())
                .method(request.method().name(), body);
        for (var header : request.headers().entrySet()) {
            for (var value : header.getValue()) {
                add(header.getKey(), value, converted);
            }
        }
        return converted.build();
    }

    /// The JDK would repeat the value in its complaint, and the value may be the key.
    private static void add(String name, String value, java.net.http.HttpRequest.Builder request) throws CallFailed {
        try {
            request.header(name, value);
        } catch (IllegalArgumentException _) {
            throw CallFailed.lasting(
                    "the header '%s' holds a character that cannot be sent".formatted(name),
                    "look for line breaks and odd characters in the key");
        }
    }

    private static SuccessfulHttpResponse opened(HttpResponse<?> response) {
        return SuccessfulHttpResponse.builder()
                .statusCode(response.statusCode())
                .headers(response.headers().map())
                .build();
    }

    private static HttpCall currentCall() {
        return HttpCall.CURRENT.isBound() ? HttpCall.CURRENT.get() : new HttpCall();
    }

    private record Given(StreamingHttp http) implements HttpClientBuilder {

        @Override
        public Duration connectTimeout() {
            return CONNECT_TIMEOUT;
        }

        @Override
        public HttpClientBuilder connectTimeout(Duration timeout) {
            return this;
        }

        @Override
        public Duration readTimeout() {
            return http.patience.answer();
        }

        @Override
        public HttpClientBuilder readTimeout(Duration timeout) {
            return this;
        }

        @Override
        public HttpClient build() {
            return http;
        }
    }
}

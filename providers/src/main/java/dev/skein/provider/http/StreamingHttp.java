package dev.skein.provider.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.http.client.sse.ServerSentEventContext;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

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

    /// Until the answer begins. Models on small machines read a long prompt for minutes.
    private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(10);

    private static final int ERROR_BODY_MAX = 4_096;

    private final java.net.http.HttpClient client;
    private final Secret key;

    /// Sends through a shared client.
    ///
    /// @param key what must not appear in a failure's message
    public StreamingHttp(java.net.http.HttpClient client, Secret key) {
        this.client = client;
        this.key = key;
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

    @Override
    public SuccessfulHttpResponse execute(HttpRequest request) {
        var call = currentCall();
        try {
            var response = send(request, call);
            try (var body = response.body()) {
                return opened(response, body.readNBytes(EventStream.EVENT_MAX));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted");
        }
    }

    /// Hands over events until the stream ends, fails or is hung up; after a hang-up, nothing more. The parser is not
    /// used: it would go on after an event that its listener cannot read.
    @Override
    public void execute(HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener) {
        var call = currentCall();
        try {
            stream(request, listener, call);
        } catch (InterruptedException _) {
            call.hangUp();
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            if (!call.isHungUp()) {
                listener.onError(e);
            }
        }
    }

    private void stream(HttpRequest request, ServerSentEventListener listener, HttpCall call)
            throws IOException, InterruptedException {
        var response = send(request, call);
        try (var body = response.body()) {
            var events = new EventStream(body);
            var context = new ServerSentEventContext(call);
            listener.onOpen(opened(response, null));
            for (var event = events.next(); event != null && !call.isHungUp(); event = events.next()) {
                listener.onEvent(requireObject(event), context);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        }
        if (!call.isHungUp()) {
            listener.onClose();
        }
    }

    /// LangChain4j skips some of what it cannot read, and so part of a reply. We would rather fail.
    private static ServerSentEvent requireObject(ServerSentEvent event) throws IOException {
        var data = event.data().strip();
        if (data.startsWith("{") || data.equals("[DONE]") || data.isEmpty()) {
            return event;
        }
        throw new IOException("an event is no JSON object: " + shortened(data));
    }

    private HttpResponse<InputStream> send(HttpRequest request, HttpCall call)
            throws IOException, InterruptedException {
        var response = call.await(client.sendAsync(converted(request), BodyHandlers.ofInputStream()));
        call.reading(response.body());
        if (response.statusCode() / 100 == 2) {
            return response;
        }
        try (var body = response.body()) {
            var text = shortened(new String(body.readNBytes(ERROR_BODY_MAX), UTF_8));
            throw new StatusFailed(response.statusCode(), key.removedFrom(text), RetryAfter.in(response.headers()));
        }
    }

    private static String shortened(String text) {
        return text.length() <= ERROR_BODY_MAX ? text.strip() : text.substring(0, ERROR_BODY_MAX) + " …";
    }

    private static java.net.http.HttpRequest converted(HttpRequest request) {
        var body = request.body() == null ? BodyPublishers.noBody() : BodyPublishers.ofString(request.body());
        var converted = java.net.http.HttpRequest.newBuilder(URI.create(request.url()))
                .timeout(ANSWER_TIMEOUT)
                .method(request.method().name(), body);
        request.headers().forEach((name, values) -> values.forEach(value -> converted.header(name, value)));
        return converted.build();
    }

    private static SuccessfulHttpResponse opened(HttpResponse<?> response, byte @Nullable [] body) {
        return SuccessfulHttpResponse.builder()
                .statusCode(response.statusCode())
                .headers(response.headers().map())
                .body(body)
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
            return ANSWER_TIMEOUT;
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

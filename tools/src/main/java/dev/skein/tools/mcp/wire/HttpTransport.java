package dev.skein.tools.mcp.wire;

import static dev.skein.tools.mcp.wire.McpFailure.Kind.ENDED;
import static dev.skein.tools.mcp.wire.McpFailure.Kind.PROTOCOL;
import static dev.skein.tools.mcp.wire.McpFailure.Kind.TOO_MUCH;
import static dev.skein.tools.mcp.wire.McpFailure.Kind.UNAUTHORIZED;
import static dev.skein.tools.mcp.wire.McpFailure.Kind.UNREACHABLE;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A server over HTTP: every message is a POST, and what comes back is JSON or a stream of events.
///
/// Redirects are never followed, since our credentials would go along. A stream that breaks before its answer is asked
/// for again where it broke, if the server numbers its events.
public final class HttpTransport implements Transport {

    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration TELL = Duration.ofSeconds(10);
    private static final Duration FAREWELL = Duration.ofSeconds(1);
    private static final int RESUMES_MAX = 5;
    private static final int RENEWALS_MAX = 2;
    private static final int LISTENS_MAX = 1_000;
    private static final int REFUSAL_BYTES_MAX = 64 * 1024;
    private static final String STATELESS_FROM = "2026-07-28";
    private static final Pattern SESSION = Pattern.compile("[\\x21-\\x7e]{1,1000}");

    private final String server;
    private final URI url;
    private final Map<String, String> headers;
    private final Credentials credentials;
    private final WireLimits limits;
    private final HttpClient http;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<Long, Future<?>> exchanges = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private CompletableFuture<?> lastTold = CompletableFuture.completedFuture(null);
    private volatile @Nullable Receiver receiver;
    private volatile @Nullable String session;
    private volatile String version = "";

    public HttpTransport(
            String server, URI url, Map<String, String> headers, Credentials credentials, WireLimits limits) {
        this.credentials = credentials;
        this.server = server;
        this.url = url;
        this.headers = headers;
        this.limits = limits;
        this.http = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NEVER)
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT)
                .executor(threads)
                .build();
    }

    @Override
    public void start(Receiver listener) {
        receiver = listener;
    }

    @Override
    public void agreed(String newVersion) {
        version = newVersion;
    }

    /// What is told goes before what is asked after it.
    @Override
    public synchronized void send(Outgoing message) {
        var before = lastTold;
        try {
            if (message.request() == null) {
                var told = new CompletableFuture<Void>();
                lastTold = told;
                threads.execute(() -> {
                    exchange(message, before);
                    told.complete(null);
                    if (isGreeting(message)) {
                        listen();
                    }
                });
            } else {
                var work = new FutureTask<>(() -> {
                    exchange(message, before);
                    return message.request();
                });
                exchanges.put(message.request(), work);
                threads.execute(work);
            }
        } catch (RejectedExecutionException e) {
            throw new McpFailure(ENDED, "the MCP server '" + server + "' was closed", e);
        }
    }

    private static boolean isGreeting(Outgoing message) {
        return message.json().path("method").asString("").equals("notifications/initialized");
    }

    /// What a server says without being asked comes on a stream of its own, if it has one.
    private void listen() {
        var stream = new EventStream(limits.messageBytes());
        try {
            for (int i = 0; i < LISTENS_MAX; i++) {
                var ask = reading();
                stream.lastId().ifPresent(id -> ask.header("Last-Event-ID", id));
                var response = http.send(ask.build(), BodyHandlers.ofInputStream());
                try (var body = response.body()) {
                    if (response.statusCode() != 200
                            || !Responses.type(response).equals("text/event-stream")) {
                        return;
                    }
                    stream.read(body, data -> {
                        receiver().received(WireJson.read(data), data.length, null);
                        return true;
                    });
                }
                if (closed.await(stream.retry().toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } catch (IOException | IllegalArgumentException | McpFailure _) {
            // The server has to do without.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void forget(long request) {
        var exchange = exchanges.remove(request);
        if (exchange != null) {
            exchange.cancel(true);
        }
    }

    @Override
    public String diagnosis() {
        return "";
    }

    @Override
    public void close() {
        if (closed.getCount() == 0) {
            return;
        }
        closed.countDown();
        exchanges.values().forEach(exchange -> exchange.cancel(true));
        farewell();
        http.shutdownNow();
        threads.shutdownNow();
    }

    /// Servers that keep a session may forget it now.
    private void farewell() {
        if (session == null) {
            return;
        }
        var sent = http.sendAsync(request().DELETE().timeout(FAREWELL).build(), BodyHandlers.discarding());
        try {
            sent.get(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException _) {
            // It will notice.
        }
    }

    private Receiver receiver() {
        var there = receiver;
        if (there == null) {
            throw new IllegalStateException("a transport is started before it is used");
        }
        return there;
    }

    private void exchange(Outgoing message, CompletableFuture<?> before) {
        try {
            before.get(TELL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException _) {
            // What was told before is told elsewhere.
        } catch (InterruptedException _) {
            return;
        }
        try {
            answer(message, admitted(message));
        } catch (McpFailure e) {
            fail(message, e);
        } catch (BoundedLines.TooLong e) {
            fail(message, failure(TOO_MUCH, "sends too much: " + e.getMessage()));
        } catch (IOException e) {
            fail(message, failure(UNREACHABLE, "cannot be reached: " + Responses.words(e) + "; check its url"));
        } catch (IllegalArgumentException e) {
            fail(message, failure(PROTOCOL, "sends what is no message: " + e.getMessage()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            if (message.request() != null) {
                exchanges.remove(message.request());
            }
        }
    }

    /// Asks again with another token, if there is one for who was refused, but not for ever.
    private HttpResponse<InputStream> admitted(Outgoing message) throws IOException, InterruptedException {
        for (int tries = 0; ; tries++) {
            var used = credentials.token();
            var response = http.send(post(message, used), BodyHandlers.ofInputStream());
            var challenges = response.headers().allValues("www-authenticate");
            if (!Responses.isRefusal(response)
                    || tries >= RENEWALS_MAX
                    || !credentials.renew(response.statusCode(), challenges, used)) {
                return response;
            }
            response.body().close();
        }
    }

    private void fail(Outgoing message, McpFailure why) {
        if (message.request() != null) {
            receiver().failed(message.request(), why);
        }
    }

    private McpFailure failure(McpFailure.Kind kind, String what) {
        return new McpFailure(kind, "the MCP server '" + server + "' " + what);
    }

    private void answer(Outgoing message, HttpResponse<InputStream> response) throws IOException, InterruptedException {
        try (var body = response.body()) {
            if (response.statusCode() / 100 != 2) {
                throw refused(response, body);
            }
            rememberSession(message, response);
            if (message.request() == null) {
                return;
            }
            switch (Responses.type(response)) {
                case "application/json" -> whole(message, body);
                case "text/event-stream" -> events(message, body);
                default -> throw failure(PROTOCOL, "answered with neither JSON nor events");
            }
        }
    }

    private void rememberSession(Outgoing message, HttpResponse<?> response) {
        if (message.json().path("method").asString("").equals("initialize")) {
            response.headers()
                    .firstValue("mcp-session-id")
                    .filter(id -> SESSION.matcher(id).matches())
                    .ifPresent(id -> session = id);
        }
    }

    private void whole(Outgoing message, InputStream body) throws IOException {
        var bytes = body.readNBytes(limits.messageBytes() + 1);
        if (bytes.length > limits.messageBytes()) {
            throw failure(TOO_MUCH, "sends too much: more than " + limits.messageBytes() + " bytes");
        }
        receiver().received(WireJson.read(bytes), bytes.length, message.request());
        fail(message, failure(PROTOCOL, "answered something else"));
    }

    private void events(Outgoing message, InputStream first) throws IOException, InterruptedException {
        var stream = new EventStream(limits.messageBytes());
        var body = first;
        for (int resumes = 0; ; resumes++) {
            if (heard(message, stream, body)) {
                return;
            }
            var last = stream.lastId();
            if (last.isEmpty() || resumes >= RESUMES_MAX || version.compareTo(STATELESS_FROM) >= 0) {
                throw failure(ENDED, "ended its answer before it was complete");
            }
            if (closed.await(stream.retry().toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
            var again = reading().header("Last-Event-ID", last.get());
            var response = http.send(again.build(), BodyHandlers.ofInputStream());
            body = response.body();
            if (response.statusCode() != 200) {
                try (var refusal = body) {
                    throw refused(response, refusal);
                }
            }
        }
    }

    /// True if the answer came.
    private boolean heard(Outgoing message, EventStream stream, InputStream body) throws IOException {
        try (body) {
            return stream.read(body, data -> {
                var json = WireJson.read(data);
                receiver().received(json, data.length, message.request());
                var isAnswer = !json.has("method")
                        && json.path("id").asLong(0)
                                == message.json().path("id").asLong(-1);
                return !isAnswer;
            });
        } catch (BoundedLines.TooLong e) {
            throw e;
        } catch (IOException e) {
            // Broken off is as good as ended.
            return false;
        }
    }

    private McpFailure refused(HttpResponse<?> response, InputStream body) throws IOException {
        var status = response.statusCode();
        if (Responses.isRefusal(response)) {
            return failure(
                    UNAUTHORIZED, "refuses us (HTTP " + status + "); give it 'headers' or a 'bearer' that it takes");
        }
        if (status / 100 == 3) {
            var to = response.headers().firstValue("location").orElse("elsewhere");
            return failure(
                    UNREACHABLE,
                    "sends us to " + VisibleText.cut(to, 200) + ", which is not followed; set its url to where it is");
        }
        if (status == 404 && session != null) {
            var gone = failure(ENDED, "has forgotten our session");
            receiver().ended(gone);
            return gone;
        }
        return errorIn(body.readNBytes(REFUSAL_BYTES_MAX))
                .orElseGet(
                        () -> McpFailure.answered("the MCP server '" + server + "' answered HTTP " + status, status));
    }

    private Optional<McpFailure> errorIn(byte[] body) {
        try {
            var error = WireJson.read(body).path("error");
            return error.isObject() ? Optional.of(Peer.errorOf(server, error)) : Optional.empty();
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private HttpRequest post(Outgoing message, Optional<String> token) {
        var post = request()
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(BodyPublishers.ofByteArray(WireJson.write(message.json())));
        var method = message.json().path("method").asString("");
        if (!method.isEmpty()) {
            post.header("Mcp-Method", method);
        }
        var named = message.json().path("params").path("name");
        if (method.equals("tools/call") && named.isString()) {
            post.header("Mcp-Name", HeaderValue.of(named.stringValue()));
        }
        message.headers().forEach(post::header);
        token.ifPresent(text -> post.header("Authorization", "Bearer " + text));
        if (message.request() == null) {
            post.timeout(TELL);
        }
        return post.build();
    }

    private HttpRequest.Builder reading() throws InterruptedException {
        var request = request().GET().header("Accept", "text/event-stream");
        credentials.token().ifPresent(token -> request.header("Authorization", "Bearer " + token));
        return request;
    }

    private HttpRequest.Builder request() {
        var request = HttpRequest.newBuilder(url);
        headers.forEach(request::header);
        var id = session;
        if (id != null) {
            request.header("Mcp-Session-Id", id);
        }
        if (!version.isEmpty()) {
            request.header("MCP-Protocol-Version", version);
        }
        return request;
    }
}

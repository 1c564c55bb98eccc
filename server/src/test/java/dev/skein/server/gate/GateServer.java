package dev.skein.server.gate;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.skein.redaction.Redaction;
import dev.skein.server.audit.AuditLog;
import dev.skein.server.auth.Authentication;
import dev.skein.server.auth.Authentications;
import dev.skein.server.auth.Grant;
import dev.skein.server.auth.KeyFile;
import dev.skein.server.auth.LocalToken;
import dev.skein.server.auth.StaticKeys;
import dev.skein.server.connection.Listener;
import dev.skein.server.health.Health;
import dev.skein.server.metrics.Meters;
import dev.skein.server.trace.Traces;
import dev.skein.session.Ids;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/// A real web server behind a gate, with a few routes of its own.
final class GateServer implements AutoCloseable {

    static final String BIG = "0123456789abcdef".repeat(4 * 1024 * 1024);

    final Path home;
    final KeyFile keys;
    final String localToken;
    final Meters meters = new Meters();
    final AuditLog audit;
    final Health health = new Health(() -> {}, Duration.ofSeconds(5), System::nanoTime);
    final Gate gate;
    final Listener server;
    final CountDownLatch hold = new CountDownLatch(1);
    final AtomicInteger reached = new AtomicInteger();
    final HttpClient client = HttpClient.newHttpClient();

    GateServer(Path home, GateOptions options) {
        this(home, options, null, Traces.OFF);
    }

    GateServer(Path home, GateOptions options, Authentication authentication, Traces traces) {
        this.home = home;
        this.keys = new KeyFile(home.resolve("keys.yaml"));
        var local = LocalToken.open(home.resolve("server.token"), new SecureRandom());
        this.localToken = LocalToken.find(home.resolve("server.token")).orElseThrow();
        var ways = authentication == null
                ? new Authentications(List.of(local, new StaticKeys(keys, System::nanoTime)))
                : authentication;
        this.audit = AuditLog.open(
                home.resolve("audit.log"),
                AuditLog.Options.STANDARD,
                Redaction.SHAPES,
                Clock.systemUTC(),
                meters::auditLost);
        var ids = new Ids(Clock.systemUTC(), new SecureRandom());
        this.gate = new Gate(options, new Gate.Parts(ways, meters, audit, health, traces), GateServer::rule, ids);
        var routing = HttpRouting.builder();
        gate.addTo(routing);
        routing.get(
                        "/",
                        (_, answer) ->
                                answer.header("Content-Type", "text/html").send("<p>hello"))
                .get("/v1/sessions/{id}", this::show)
                .delete("/v1/sessions/{id}", this::show)
                .post("/v1/sessions", (request, answer) -> {
                    reached.incrementAndGet();
                    answer.send(String.valueOf(request.content().as(byte[].class).length));
                })
                .get("/v1/big", (_, answer) -> answer.send(BIG))
                .get("/v1/wait", (_, answer) -> {
                    reached.incrementAndGet();
                    hold.await(60, TimeUnit.SECONDS);
                    answer.send("done");
                })
                .get("/v1/defect", (_, _) -> {
                    throw new IllegalStateException("secret inside");
                })
                .get("/v1/hidden", (_, answer) -> answer.send("no rule leads here"))
                .get("/v1/events", this::events);
        this.server = listen(routing);
    }

    private Listener listen(HttpRouting.Builder routing) {
        try {
            return Listener.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), gate.rules(), routing);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<RouteRule> rule(String method, String path) {
        var get = method.equals("GET");
        if (path.equals("/") && get) {
            return Optional.of(RouteRule.open("/"));
        }
        if (path.matches("/v1/sessions/[^/]+")) {
            var grant = get ? Grant.READ_SESSIONS : Grant.WRITE_SESSIONS;
            return Optional.of(RouteRule.needing(grant, "/v1/sessions/{id}"));
        }
        if (path.equals("/v1/sessions") && method.equals("POST")) {
            return Optional.of(RouteRule.needing(Grant.WRITE_SESSIONS, path));
        }
        if (path.equals("/v1/events") && get) {
            return Optional.of(RouteRule.needing(Grant.READ_SESSIONS, path));
        }
        return get && List.of("/v1/big", "/v1/wait", "/v1/defect").contains(path)
                ? Optional.of(RouteRule.needing(Grant.READ_SESSIONS, path))
                : Optional.empty();
    }

    private void show(ServerRequest request, ServerResponse answer) {
        reached.incrementAndGet();
        var passage = Passage.of(request);
        answer.send(passage.requireCaller().subject() + " " + passage.remote() + " " + passage.requestId());
    }

    /// Sends until the key does not count any more, or nobody reads.
    private void events(ServerRequest request, ServerResponse answer) throws IOException, InterruptedException {
        reached.incrementAndGet();
        var validity = Passage.of(request).validity();
        try (var out = answer.outputStream()) {
            while (validity.getAsBoolean()) {
                out.write(": still here\n\n".getBytes(UTF_8));
                out.flush();
                if (hold.await(20, TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        }
    }

    int port() {
        return server.port();
    }

    String newKey(String subject, Grant... grants) {
        return keys.create(
                        subject, Arrays.stream(grants).map(Grant::wire).toList(), Clock.systemUTC(), new SecureRandom())
                .key();
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofSeconds(60));
    }

    HttpRequest.Builder request(String path, String key) {
        return request(path).header("Authorization", "Bearer " + key);
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    HttpResponse<String> get(String path, String key) throws IOException, InterruptedException {
        return send(request(path, key));
    }

    /// Waits until it is so; some of what a request leaves behind comes after its answer.
    void await(BooleanSupplier condition) throws InterruptedException {
        var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("it never came to that");
            }
            var _ = hold.await(10, TimeUnit.MILLISECONDS);
        }
    }

    /// A connection on which a test says what it likes.
    Raw raw() throws IOException {
        return new Raw(new Socket(InetAddress.getLoopbackAddress(), port()));
    }

    @Override
    public void close() {
        hold.countDown();
        client.shutdownNow();
        server.close();
        gate.close();
        audit.close();
        meters.close();
    }
}

package dev.skein.testkit.provider;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.skein.testkit.provider.Answer.Step;
import dev.skein.wire.Json;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A provider on this machine that answers as scripted and remembers what it was asked.
///
/// Answers are given in order, one per request; afterwards every request gets the same, if there is one for that.
public final class ProviderServer implements AutoCloseable {

    private static final int BACKLOG = 4_096;

    private final Wire wire;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Queue<Answer> script = new ConcurrentLinkedQueue<>();
    private final Queue<Request> requests = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Function<Request, Answer> always;

    /// What was asked, at which path with its query. Header names are in lower case.
    public record Request(String path, Map<String, String> headers, JsonNode body) {}

    static {
        // Else each event of a stream waits for the acknowledgement of the one before.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private ProviderServer(Wire wire, HttpServer server) {
        this.wire = wire;
        this.server = server;
    }

    /// Starts a server on a free port.
    public static ProviderServer speaking(Wire wire) throws IOException {
        var socket = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var provider = new ProviderServer(wire, HttpServer.create(socket, BACKLOG));
        provider.server.createContext("/", provider::handle);
        provider.server.setExecutor(provider.threads);
        provider.server.start();
        return provider;
    }

    /// Where requests go: `/v1` on the server.
    public URI baseUrl() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v1");
    }

    /// Adds answers to the script.
    public void script(Answer... answers) {
        script.addAll(Arrays.asList(answers));
    }

    /// Answers whatever the script does not.
    public void always(Function<Request, Answer> answer) {
        always = answer;
    }

    public List<Request> requests() {
        return List.copyOf(requests);
    }

    /// The body of the only request there was.
    public JsonNode onlyRequest() {
        if (requests.size() != 1) {
            throw new AssertionError("not one request but " + requests.size());
        }
        return requests.element().body();
    }

    @Override
    public void close() {
        threads.shutdownNow();
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        var request = received(exchange);
        requests.add(request);
        var next = script.poll();
        var otherwise = always;
        if (!request.path().equals("/v1" + wire.path())) {
            refuse(exchange, Answer.status(404, "no such path: " + request.path()));
        } else if (next != null) {
            answer(exchange, next);
        } else if (otherwise != null) {
            answer(exchange, otherwise.apply(request));
        } else {
            refuse(exchange, Answer.status(400, "the script is over"));
        }
    }

    private static Request received(HttpExchange exchange) throws IOException {
        var headers = exchange.getRequestHeaders().entrySet().stream()
                .collect(Collectors.toMap(
                        header -> header.getKey().toLowerCase(Locale.ROOT),
                        header -> String.join(",", header.getValue())));
        var body = Json.MAPPER.readTree(exchange.getRequestBody().readAllBytes());
        return new Request(exchange.getRequestURI().toString(), headers, body);
    }

    private void answer(HttpExchange exchange, Answer answer) throws IOException {
        switch (answer) {
            case Answer.Held(var gate, var later) -> {
                pass(gate);
                answer(exchange, later);
            }
            case Answer.Status status -> refuse(exchange, status);
            case Answer.Broken _ -> throw new IOException("broken, as scripted");
            case Answer.Stream stream -> stream(exchange, stream);
        }
    }

    private static void refuse(HttpExchange exchange, Answer.Status status) throws IOException {
        var body = status.body().getBytes(UTF_8);
        status.headers().forEach(exchange.getResponseHeaders()::add);
        exchange.sendResponseHeaders(status.status(), body.length == 0 ? -1 : body.length);
        try (var out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    private void stream(HttpExchange exchange, Answer.Stream answer) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", wire.contentType());
        exchange.sendResponseHeaders(200, 0);
        var speaker = wire.fresh();
        var out = exchange.getResponseBody();
        write(out, speaker.begin(answer.usage()));
        for (var step : answer.steps()) {
            switch (step) {
                case Step.Raw(var bytes) -> write(out, bytes);
                case Step.WaitAt(var gate) -> pass(gate);
                // The server of the JDK breaks the connection off when a handler throws.
                case Step.Cut _ -> throw new IOException("cut, as scripted");
                case Step.EndEarly _ -> {
                    out.close();
                    return;
                }
                case Step.UntilHangUp(var gate) -> writeUntilHangUp(out, gate, wire.noise());
                case Step.Say _, Step.NewBlock _, Step.Think _, Step.ThinkSecretly _, Step.Call _, Step.Fail _ ->
                    write(out, String.valueOf(speaker.speak(step)));
            }
        }
        write(out, speaker.end(answer.stop(), answer.usage()));
        out.close();
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(UTF_8));
        out.flush();
    }

    private static void writeUntilHangUp(OutputStream out, Gate gate, String noise) throws IOException {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                write(out, noise);
            }
        } catch (IOException e) {
            gate.open();
            throw e;
        }
    }

    private static void pass(Gate gate) throws IOException {
        try {
            gate.pass();
        } catch (InterruptedException _) {
            throw new InterruptedIOException("the server was closed");
        }
    }
}

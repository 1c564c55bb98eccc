package dev.skein.bench;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The control of [ServerBench]: the same web server with nothing of ours, which sends what it was told to send.
///
/// `PUT /` takes the answer. `GET /` sends it at once; `POST /` as a stream, one event at a time, each word of a model
/// at the pace of [PacedModel].
final class BareServer implements AutoCloseable {

    private volatile byte[] answer = {};
    private volatile List<String> events = List.of();
    private @Nullable WebServer web;

    /// Where it listens, from now on.
    int port() {
        if (web == null) {
            web = WebServer.builder()
                    .bindAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .shutdownHook(false)
                    .routing(HttpRouting.builder()
                            .put("/", this::learn)
                            .get("/", this::send)
                            .post("/", this::stream))
                    .build()
                    .start();
        }
        return web.port();
    }

    private void learn(ServerRequest request, ServerResponse response) {
        answer = request.content().as(byte[].class);
        events = List.of(new String(answer, StandardCharsets.UTF_8).split("(?<=\\n\\n)"));
        response.send("learnt");
    }

    private void send(ServerRequest request, ServerResponse response) {
        response.header(HeaderNames.CONTENT_TYPE, "application/json").send(answer);
    }

    private void stream(ServerRequest request, ServerResponse response) throws IOException {
        request.content().as(byte[].class);
        response.header(HeaderNames.CONTENT_TYPE, "text/event-stream");
        try (var out = response.outputStream()) {
            for (var event : events) {
                if (event.startsWith("event: assistant_delta")) {
                    PacedModel.pause();
                }
                out.write(event.getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        }
    }

    @Override
    public void close() {
        if (web != null) {
            web.stop();
        }
    }
}

package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.server.auth.Caller;
import dev.skein.server.auth.Grant;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Who follows a session does so for hours: what is kept for them meanwhile, and how it ends.
class TailTest {

    private static final String EVENTS = "method=\"GET\",route=\"/v1/sessions/{id}/events\",status=\"200\"";

    @Test
    void a_stream_counts_as_one_request_until_it_ends() throws Exception {
        try (var server = new TestServer()) {
            var ann = server.client("ann");
            var id = ann.create("{}");
            try (var tail = new Tail(server, id)) {
                tail.awaitLine(": ");
                assertThat(figure(server, "streams_open")).isEqualTo(1);
                // This one and that which asks for the figure; one that was answered may count a moment longer.
                TestServer.await(() -> figure(server, "http_requests_in_flight") == 2);
                assertThat(figure(server, "http_requests_total{" + EVENTS + "}"))
                        .isZero();
            }

            TestServer.await(() -> figure(server, "http_requests_total{" + EVENTS + "}") == 1);
            TestServer.await(() -> figure(server, "streams_open") == 0);
            TestServer.await(() -> figure(server, "http_requests_in_flight") == 1);
        }
    }

    @Test
    void a_stream_that_the_server_ends_ends_whole_and_with_it_the_connection() throws Exception {
        try (var server = new TestServer()) {
            var ann = server.client("ann");
            var id = ann.create("{}");
            try (var tail = new Tail(server, id)) {
                assertThat(tail.head()).contains("HTTP/1.1 200 OK", "Connection: close", "Transfer-Encoding: chunked");
                tail.awaitLine(": ");
                ann.send("DELETE", "/v1/sessions/" + id, null).is(204);

                assertThat(tail.rest()).contains("event: error\n").endsWith("\r\n0\r\n\r\n");
            }
        }
    }

    @Test
    void a_connection_that_is_followed_is_never_idle() throws Exception {
        var extras = TestServer.Extras.NONE.idleFor(Duration.ofMillis(100));
        try (var server = new TestServer(TestServer.OPTIONS, extras)) {
            var ann = server.client("ann");
            var id = ann.create("{}");
            try (var tail = new Tail(server, id)) {
                // The web server looks for idle connections once a second, a heartbeat comes every fifth of one.
                for (int i = 0; i < 12; i++) {
                    tail.awaitLine(": ");
                }
                ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"say hello\"}")
                        .is(200);
                tail.awaitLine("event: finished");
            }
        }
    }

    @Test
    void nothing_of_the_request_is_kept_while_a_stream_waits() throws Exception {
        var sent = new ConcurrentLinkedQueue<WeakReference<String>>();
        var extras = TestServer.Extras.NONE.with((String header) -> {
            sent.add(new WeakReference<>(header));
            return Optional.of(new Caller("ann", EnumSet.allOf(Grant.class)));
        });
        try (var server = new TestServer(TestServer.OPTIONS, extras)) {
            var id = server.client("ann").create("{}");
            sent.clear();
            try (var tail = new Tail(server, id)) {
                tail.awaitLine(": ");
                assertThat(sent).hasSize(1);
                TestServer.await(() -> {
                    System.gc();
                    return sent.stream().allMatch(header -> header.refersTo(null));
                });
                tail.awaitLine(": ");
            }
        }
    }

    private static double figure(TestServer server, String name) {
        return server.client("admin")
                .get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(0);
    }

    /// Somebody who follows a session and sees every byte.
    private static final class Tail implements AutoCloseable {

        private final Socket socket;
        private final BufferedReader in;

        Tail(TestServer server, String session) throws IOException {
            this.socket = new Socket(InetAddress.getLoopbackAddress(), server.server.port());
            socket.setSoTimeout(60_000);
            this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            socket.getOutputStream()
                    .write(("GET /v1/sessions/" + session + "/events HTTP/1.1\r\nHost: localhost\r\n"
                                    + "Authorization: Bearer ann\r\n\r\n")
                            .getBytes(StandardCharsets.UTF_8));
        }

        String head() {
            return in.lines().takeWhile(line -> !line.isEmpty()).collect(Collectors.joining("\r\n"));
        }

        void awaitLine(String wanted) throws IOException {
            for (var line = in.readLine(); !wanted.equals(line); line = in.readLine()) {
                assertThat(line).as("a line, before '%s'", wanted).isNotNull();
            }
        }

        String rest() throws IOException {
            var all = new StringBuilder();
            for (var next = in.read(); next >= 0; next = in.read()) {
                all.append((char) next);
            }
            return all.toString();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}

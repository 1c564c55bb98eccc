package dev.skein.server.connection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.http1.Http1Config;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ListenerTest {

    private static final int PATIENCE_MILLIS = 60_000;

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private Listener listener = listen(Duration.ofSeconds(60), 100);

    private Listener listen(Duration idle, int connections) {
        var routing = HttpRouting.builder()
                .get("/hello", (_, answer) -> answer.send("hello"))
                .get("/wait", this::waitForRelease)
                .get("/stream", this::stream)
                .post("/sum", (request, answer) -> {
                    var sum = new CRC32();
                    sum.update(request.content().as(byte[].class));
                    answer.send(Long.toString(sum.getValue()));
                });
        var rules = new ListenerRules(
                Http1Config.create(),
                8 * 1024 * 1024,
                DirectHandlers.create(),
                idle,
                UnaryOperator.identity(),
                connections);
        try {
            return Listener.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), rules, routing);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void waitForRelease(ServerRequest request, ServerResponse answer) throws InterruptedException {
        asked.countDown();
        try {
            assertThat(release.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
            answer.send("waited");
        } finally {
            ended.countDown();
        }
    }

    private void stream(ServerRequest request, ServerResponse answer) throws IOException {
        var out = answer.outputStream();
        out.write("first ".getBytes(ISO_8859_1));
        out.flush();
        throw new Detached(rest -> {
            try {
                rest.write("second ".getBytes(ISO_8859_1));
                asked.countDown();
                assertThat(release.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                        .isTrue();
                rest.write("third".getBytes(ISO_8859_1));
                rest.close();
            } catch (IOException e) {
                throw new AssertionError(e);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            } finally {
                ended.countDown();
            }
        });
    }

    @AfterEach
    void close() {
        release.countDown();
        listener.close();
    }

    private Socket connect() throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), listener.port());
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    private static void ask(Socket socket, String path) throws IOException {
        socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(ISO_8859_1));
    }

    /// What comes until there is this in it, or nothing more comes.
    private static String until(Socket socket, String end) throws IOException {
        var text = new StringBuilder();
        while (text.indexOf(end) < 0) {
            var next = socket.getInputStream().read();
            if (next < 0) {
                break;
            }
            text.append((char) next);
        }
        return text.toString();
    }

    @Test
    void a_connection_is_used_again_after_an_answer_that_took_longer_than_a_silence_may() throws Exception {
        listener.close();
        listener = listen(Duration.ofMillis(500), 100);
        try (var socket = connect()) {
            ask(socket, "/wait");
            assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
            // Silent connections are looked for meanwhile.
            assertThat(release.await(1_500, TimeUnit.MILLISECONDS)).isFalse();
            // Before the first is answered, or it might come too late.
            ask(socket, "/hello");
            release.countDown();

            assertThat(until(socket, "waited")).contains("200 OK");
            assertThat(until(socket, "hello")).contains("200 OK");
        }
    }

    @Test
    void a_silent_connection_is_ended() throws Exception {
        listener.close();
        listener = listen(Duration.ofMillis(1), 100);
        try (var socket = connect()) {
            assertThat(until(socket, "never")).isEmpty();
        }
    }

    @Test
    void a_stream_goes_on_when_its_request_is_over() throws Exception {
        try (var socket = connect()) {
            ask(socket, "/stream");

            assertThat(until(socket, "second ")).contains("200 OK").contains("first ");

            release.countDown();
            assertThat(until(socket, "0\r\n\r\n")).isEqualTo("\r\n5\r\nthird\r\n0\r\n\r\n");
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void closing_ends_requests_and_streams_that_do_not_end_by_themselves() throws Exception {
        for (var path : new String[] {"/wait", "/stream"}) {
            var test = new ListenerTest();
            try (var socket = test.connect()) {
                ask(socket, path);
                assertThat(test.asked.await(60, TimeUnit.SECONDS)).isTrue();

                test.listener.close();

                assertThat(test.ended.await(60, TimeUnit.SECONDS)).isTrue();
                assertThat(until(socket, "third")).doesNotContain("third", "waited");
            }
        }
    }

    @Test
    void who_comes_when_all_places_are_taken_waits_for_one() throws Exception {
        listener.close();
        listener = listen(Duration.ofSeconds(60), 1);
        var first = connect();
        try (var second = connect()) {
            ask(second, "/hello");
            for (int i = 0; i < 50; i++) {
                ask(first, "/hello");
                assertThat(until(first, "hello")).contains("200 OK");
            }
            assertThat(second.getInputStream().available()).isZero();

            first.close();

            assertThat(until(second, "hello")).contains("200 OK");
        } finally {
            first.close();
        }
    }

    @Test
    void a_body_of_many_pieces_arrives_as_it_was_sent() throws Exception {
        var body = new byte[5_000_001];
        new Random(7).nextBytes(body);
        var sum = new CRC32();
        sum.update(body);
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://localhost:" + listener.port() + "/sum"))
                    .POST(BodyPublishers.ofByteArray(body))
                    .build();

            assertThat(client.send(request, BodyHandlers.ofString()).body()).isEqualTo(Long.toString(sum.getValue()));
        }
    }

    @Test
    void where_somebody_listens_nobody_else_can() {
        var taken = new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.port());
        var rules = new ListenerRules(
                Http1Config.create(), 1, DirectHandlers.create(), Duration.ofSeconds(1), UnaryOperator.identity(), 1);

        assertThatThrownBy(() -> Listener.open(taken, rules, HttpRouting.builder()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("in use");
    }
}

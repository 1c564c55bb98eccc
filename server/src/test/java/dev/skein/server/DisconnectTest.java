package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Clients that want one answer, and go away before they get it. No byte is sent to them meanwhile.
class DisconnectTest {

    private static TestServer server;
    private static Client ann;

    @BeforeAll
    static void start() {
        server = new TestServer();
        ann = server.client("ann");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void a_run_whose_client_went_away_ends_though_nobody_opened_its_gate() throws Exception {
        var session = "/v1/sessions/" + ann.create("{}");
        try (var socket = connect()) {
            send(socket, "POST", session + "/completions", "{\"prompt\":\"hold gone\"}");
            server.model.awaitArrival("gone");
        }

        TestServer.await(() -> ann.get(session).text("status").equals("aborted"));
        var loop = ann.get(session + "/messages").json().path("messages");
        assertThat(loop.toString()).contains("hold gone").contains("before ").doesNotContain("after");
    }

    @Test
    void one_that_is_to_go_on_goes_on_and_is_kept() throws Exception {
        var session = "/v1/sessions/" + ann.create("{}");
        try (var socket = connect()) {
            send(
                    socket,
                    "POST",
                    session + "/completions",
                    "{\"prompt\":\"hold stays\",\"on_disconnect\":\"continue\"}");
            server.model.awaitArrival("stays");
        }
        server.model.open("stays");

        TestServer.await(() -> ann.get(session).text("status").equals("idle"));
        assertThat(ann.get(session + "/messages").body()).contains("before after");
    }

    @Test
    void what_a_client_sends_while_it_waits_is_its_next_request() throws Exception {
        var session = "/v1/sessions/" + ann.create("{}");
        try (var socket = connect()) {
            var in = new BufferedInputStream(socket.getInputStream());
            send(socket, "POST", session + "/completions", "{\"prompt\":\"hold early\"}");
            server.model.awaitArrival("early");
            send(socket, "GET", session + "/usage", "");
            server.model.open("early");

            assertThat(answer(in)).contains("before after");
            assertThat(answer(in)).contains("\"loop_count\":1");
            for (int i = 0; i < 3; i++) {
                send(socket, "POST", session + "/completions", "{\"prompt\":\"say again " + i + "\"}");
                assertThat(answer(in)).contains("again " + i);
            }
        }
    }

    @Test
    void a_client_that_comes_back_on_its_connection_is_watched_again() throws Exception {
        var session = "/v1/sessions/" + ann.create("{}");
        try (var socket = connect()) {
            var in = new BufferedInputStream(socket.getInputStream());
            send(socket, "POST", session + "/completions", "{\"prompt\":\"say first\"}");
            assertThat(answer(in)).contains("first");
            send(socket, "POST", session + "/completions", "{\"prompt\":\"hold second\"}");
            server.model.awaitArrival("second");
        }

        TestServer.await(() -> ann.get(session).text("status").equals("aborted"));
    }

    @Test
    void a_connection_that_was_watched_and_is_idle_is_closed_without_a_word() throws Exception {
        var extras = TestServer.Extras.NONE.idleFor(Duration.ofMillis(500));
        try (var other = new TestServer(TestServer.OPTIONS, extras);
                var socket = new Socket("127.0.0.1", other.server.port())) {
            socket.setSoTimeout(60_000);
            var session = "/v1/sessions/" + other.client("ann").create("{}");
            var in = new BufferedInputStream(socket.getInputStream());
            send(socket, "POST", session + "/completions", "{\"prompt\":\"say hello\"}");

            assertThat(answer(in)).contains("hello");
            assertThat(in.readAllBytes()).isEmpty();
        }
    }

    private static Socket connect() throws IOException {
        var socket = new Socket("127.0.0.1", server.server.port());
        socket.setSoTimeout(60_000);
        return socket;
    }

    private static void send(Socket socket, String method, String path, String body) throws IOException {
        var head = method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ann\r\n"
                + "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n";
        socket.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
    }

    /// The body of the next answer.
    private static String answer(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            var next = in.read();
            assertThat(next).as(head.toString()).isNotNegative();
            head.append((char) next);
        }
        assertThat(head).startsWith("HTTP/1.1 200");
        var length = head.toString()
                .lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length: "))
                .mapToInt(line -> Integer.parseInt(line.substring(16)))
                .findFirst()
                .orElseThrow();
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }
}

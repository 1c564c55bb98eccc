package dev.skein.server.gate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// More connections than the system has descriptors for (C8).
class CrowdTest {

    private static final int CLIENTS = 1_000;

    @TempDir
    Path home;

    @Test
    void the_acceptor_survives_a_crowd_with_few_descriptors_and_serves_when_it_has_left() throws Exception {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var process = new ProcessBuilder(
                        "bash",
                        "-c",
                        "ulimit -n 256 && exec \"$0\" -Xmx256m -cp \"$1\" \"$2\" \"$3\"",
                        java,
                        System.getProperty("java.class.path"),
                        Child.class.getName(),
                        home.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            var port = Integer.parseInt(out.readLine());

            crowd(port);

            try (var client = HttpClient.newHttpClient()) {
                var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/healthz/live"))
                        .timeout(Duration.ofSeconds(60))
                        .build();
                assertThat(client.send(request, BodyHandlers.ofString()).statusCode())
                        .isEqualTo(200);
            }
        } finally {
            process.destroyForcibly().waitFor(60, TimeUnit.SECONDS);
        }
    }

    /// Everybody connects, asks halfway, and leaves again. Some are not let in; that is as it should be.
    private static void crowd(int port) throws IOException {
        var sockets = new ArrayList<Socket>();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                var socket = new Socket();
                sockets.add(socket);
                try {
                    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 200);
                    socket.getOutputStream().write("GET /healthz/live HTTP/1.1\r\n".getBytes(UTF_8));
                } catch (IOException _) {
                    // Full.
                }
            }
        } finally {
            for (var socket : sockets) {
                socket.close();
            }
        }
    }

    /// Another process, with a server of its own.
    static final class Child {

        private Child() {}

        public static void main(String[] args) throws IOException {
            try (var server = new GateServer(Path.of(args[0]), GateOptions.STANDARD)) {
                var port = server.port() + "\n";
                try (var out = new FileOutputStream(FileDescriptor.out)) {
                    out.write(port.getBytes(UTF_8));
                    out.flush();
                    var _ = System.in.read();
                }
            }
        }
    }
}

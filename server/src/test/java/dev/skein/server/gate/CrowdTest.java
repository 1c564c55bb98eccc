package dev.skein.server.gate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
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
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// More connections than the system has descriptors for (C8).
class CrowdTest {

    private static final int CLIENTS = 1_000;

    @TempDir
    Path home;

    @Test
    void a_crowd_with_few_descriptors_is_served_when_it_has_left() throws Exception {
        var process = start();
        try (var out = process.inputReader(UTF_8)) {
            var port = Integer.parseInt(out.readLine());

            crowd(port);

            assertThat(isLive(port)).isTrue();
        } finally {
            process.destroyForcibly().waitFor(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void who_comes_when_there_is_no_descriptor_is_accepted_when_there_is_one() throws Exception {
        var process = start();
        try (var out = process.inputReader(UTF_8);
                var socket = new Socket()) {
            var port = Integer.parseInt(out.readLine());
            socket.setSoTimeout(60_000);
            assertThat(isLive(port)).isTrue();
            tell(process, "eat");
            assertThat(out.readLine()).isEqualTo("full");

            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            assertThat(out.readLine()).contains("no connection can be accepted for now");
            tell(process, "fast");

            socket.getOutputStream().write("GET /healthz/live HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(UTF_8));
            assertThat(new String(socket.getInputStream().readNBytes(15), UTF_8))
                    .isEqualTo("HTTP/1.1 200 OK");
        } finally {
            process.destroyForcibly().waitFor(60, TimeUnit.SECONDS);
        }
    }

    private Process start() throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ProcessBuilder(
                        "bash",
                        "-c",
                        "ulimit -n 256 && exec \"$0\" -Xmx256m -cp \"$1\" \"$2\" \"$3\"",
                        java,
                        System.getProperty("java.class.path"),
                        Child.class.getName(),
                        home.toString())
                .redirectErrorStream(true)
                .start();
    }

    private static void tell(Process process, String word) throws IOException {
        process.getOutputStream().write((word + "\n").getBytes(UTF_8));
        process.getOutputStream().flush();
    }

    private static boolean isLive(int port) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/healthz/live"))
                    .timeout(Duration.ofSeconds(60))
                    .build();
            return client.send(request, BodyHandlers.ofString()).statusCode() == 200;
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

    /// Another process, with a server of its own, which takes and gives back all descriptors when it is told to.
    static final class Child {

        private static final int CONVINCED = 20;

        private Child() {}

        public static void main(String[] args) throws IOException, InterruptedException {
            var eaten = new ArrayList<FileInputStream>();
            try (var server = new GateServer(Path.of(args[0]), GateOptions.STANDARD);
                    var in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
                    var out = new FileOutputStream(FileDescriptor.out)) {
                out.write((server.port() + "\n").getBytes(UTF_8));
                for (var word = in.readLine(); word != null; word = in.readLine()) {
                    if (word.equals("eat")) {
                        eat(eaten);
                        out.write("full\n".getBytes(UTF_8));
                    } else {
                        for (var file : eaten) {
                            file.close();
                        }
                    }
                }
            }
        }

        /// Until there has been none for a while: a connection that ends may still give one back.
        private static void eat(List<FileInputStream> eaten) throws InterruptedException {
            for (int refused = 0; refused < CONVINCED; ) {
                try {
                    eaten.add(new FileInputStream("/dev/null"));
                    refused = 0;
                } catch (IOException _) {
                    refused++;
                    TimeUnit.MILLISECONDS.sleep(10);
                }
            }
        }
    }
}

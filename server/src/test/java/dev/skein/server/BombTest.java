package dev.skein.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.server.route.Route;
import dev.skein.testkit.bombs.Bombs;
import dev.skein.testkit.bombs.Bombs.Bomb;
import dev.skein.testkit.bombs.Bombs.Kind;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/// Documents that are dear to read, sent to a server that has little memory (D5). By default each goes to a few routes;
/// `-Dskein.bombs=all` sends each to every route that takes a body.
class BombTest {

    private static final long SEED = 5;
    private static final List<Route> TAKING_BODIES = List.of(
            Route.SESSION_COMPLETE,
            Route.CREATE_SESSION,
            Route.CHAT,
            Route.COMPLETE,
            Route.PARALLEL,
            Route.CHANGE_SESSION,
            Route.CONTINUE,
            Route.REGENERATE,
            Route.COMPRESS,
            Route.DECIDE,
            Route.FORK,
            Route.SET_ROLE);

    @Test
    void every_bomb_is_refused_and_a_server_with_little_memory_lives_on(TestReporter reporter) throws Exception {
        var all = "all".equals(System.getProperty("skein.bombs"));
        var bombs = Bombs.all(SEED);
        assertThat(bombs).hasSizeGreaterThanOrEqualTo(60);
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Child.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        long slowest = 0;
        try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
                var client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build()) {
            var url = "http://127.0.0.1:" + out.readLine();
            assertThat(send(client, url, "POST", "/v1/sessions", plain("{\"alias\":\"a\"}")))
                    .isEqualTo(201);
            for (int i = 0; i < bombs.size(); i++) {
                for (int j = 0; j < (all ? TAKING_BODIES.size() : 2); j++) {
                    var route = TAKING_BODIES.get((i + 5 * j) % TAKING_BODIES.size());
                    var began = System.nanoTime();
                    var status = send(client, url, route.method(), path(route), bombs.get(i));
                    slowest = Math.max(slowest, System.nanoTime() - began);
                    assertThat(status).as(bombs.get(i) + " to " + route).isBetween(400, 499);
                }
            }
            assertThat(send(client, url, "POST", "/v1/sessions", plain("{}"))).isEqualTo(201);
        } finally {
            process.destroyForcibly().waitFor(60, TimeUnit.SECONDS);
        }
        reporter.publishEntry("slowest answer in ms", Long.toString(slowest / 1_000_000));
    }

    private static Bomb plain(String json) {
        return new Bomb("none", Kind.JSON, json.getBytes(UTF_8));
    }

    private static String path(Route route) {
        return route.path().replace("{id}", "a").replace("{call}", "call-1");
    }

    /// Whoever is refused while they send may see that as a lost connection. The web server refuses what is zipped
    /// before
    /// it reads any of it.
    private static int send(HttpClient client, String url, String method, String path, Bomb bomb)
            throws InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(url + path))
                .timeout(Duration.ofSeconds(60))
                .header("Authorization", "Bearer ann")
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofByteArray(bomb.bytes()));
        if (bomb.kind() == Kind.GZIP) {
            request.header("Content-Encoding", "gzip");
        }
        try {
            return client.send(request.build(), BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            if (bomb.bytes().length > 1_000_000 || bomb.kind() == Kind.GZIP) {
                return 413;
            }
            throw new AssertionError(bomb + " got no answer", e);
        }
    }

    /// The server, in a process of its own.
    static final class Child {

        private Child() {}

        public static void main(String[] args) throws IOException {
            try (var server = new TestServer();
                    var out = new FileOutputStream(FileDescriptor.out)) {
                out.write((server.server.port() + "\n").getBytes(UTF_8));
                out.flush();
                var _ = System.in.read();
            }
        }
    }
}

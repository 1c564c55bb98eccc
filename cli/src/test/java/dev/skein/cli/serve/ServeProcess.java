package dev.skein.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.wire.Json;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/// `skein serve` in a process of its own.
final class ServeProcess implements AutoCloseable {

    /// Where the server logs to.
    private static final String LOG_FILE = "server.log";

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static final Logger LOG = LoggerFactory.getLogger(ServeProcess.class);

    private final Path home;
    private final Process process;
    private final BufferedReader output;
    final int port;

    ServeProcess(Path home, String... more) throws IOException {
        this(home, Map.of(), more);
    }

    ServeProcess(Path home, Map<String, String> environment, String... more) throws IOException {
        this.home = home;
        process = started(home, environment, more);
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        port = port(output, home);
        // Whoever writes into a full pipe stands still.
        Thread.ofVirtual().start(this::drain);
    }

    /// How a start that fails ends.
    record Refused(int code, String out, String err) {}

    static Refused refused(Path home, String... more) throws Exception {
        var process = started(home, Map.of(), more);
        try (var out = process.getInputStream()) {
            var said = new String(out.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            return new Refused(process.exitValue(), said, Files.readString(home.resolve(LOG_FILE)));
        } finally {
            process.destroyForcibly();
        }
    }

    private static Process started(Path home, Map<String, String> environment, String... more) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "dev.skein.cli.Main",
                "serve"));
        if (!List.of(more).contains("--port")) {
            command.addAll(List.of("--port", "0"));
        }
        command.addAll(List.of(more));
        var builder = new ProcessBuilder(command)
                .redirectError(home.resolve(LOG_FILE).toFile())
                .directory(home.toFile());
        var env = builder.environment();
        env.keySet().removeIf(name -> name.endsWith("_API_KEY"));
        env.put("CLASSPATH", classPath());
        env.put("SKEIN_HOME", home.toString());
        env.putAll(environment);
        return builder.start();
    }

    private void drain() {
        try (output) {
            for (var line = output.readLine(); line != null; line = output.readLine()) {
                LOG.debug("{}: {}", port, line);
            }
        } catch (IOException _) {
            // It ended.
        }
    }

    private static int port(BufferedReader output, Path home) throws IOException {
        var said = new StringBuilder();
        for (var line = output.readLine(); line != null; line = output.readLine()) {
            said.append(line).append('\n');
            if (line.startsWith("listening on http://")) {
                return Integer.parseInt(line.substring(line.lastIndexOf(':') + 1));
            }
        }
        throw new AssertionError("the server did not start:\n" + said + Files.readString(home.resolve(LOG_FILE)));
    }

    static String classPath() {
        return Stream.of(
                        System.getProperty("surefire.test.class.path", ""),
                        System.getProperty("java.class.path", ""),
                        ServeProcess.class.getClassLoader() instanceof URLClassLoader urls
                                ? Arrays.stream(urls.getURLs())
                                        .map(URL::getPath)
                                        .collect(Collectors.joining(File.pathSeparator))
                                : "")
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    String token() throws IOException {
        return Files.readString(home.resolve("server.token")).strip();
    }

    JsonNode post(String path, String body) throws Exception {
        return json(request(path).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    JsonNode get(String path) throws Exception {
        return json(request(path).GET());
    }

    /// The answer as it came.
    String text(String path) throws Exception {
        return HTTP.send(request(path).GET().build(), BodyHandlers.ofString()).body();
    }

    private static JsonNode json(HttpRequest.Builder request) throws Exception {
        return Json.MAPPER.readTree(
                HTTP.send(request.build(), BodyHandlers.ofString()).body());
    }

    Events stream(String path, String body) throws Exception {
        var request = request(path).POST(HttpRequest.BodyPublishers.ofString(body));
        return new Events(HTTP.send(request.build(), BodyHandlers.ofInputStream()));
    }

    Events streamOnce(String path, String key, String body) throws Exception {
        var request = request(path).header("Idempotency-Key", key).POST(HttpRequest.BodyPublishers.ofString(body));
        return new Events(HTTP.send(request.build(), BodyHandlers.ofInputStream()));
    }

    Events follow(String path, String lastEventId) throws Exception {
        var request = request(path).header("Last-Event-ID", lastEventId).GET();
        return new Events(HTTP.send(request.build(), BodyHandlers.ofInputStream()));
    }

    int status(String path) throws Exception {
        return HTTP.send(request(path).GET().build(), BodyHandlers.discarding()).statusCode();
    }

    /// What somebody with this key gets.
    String getAs(String key, String path) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(url() + path))
                .timeout(PATIENCE)
                .header("Authorization", "Bearer " + key);
        return HTTP.send(request.build(), BodyHandlers.ofString()).body();
    }

    private HttpRequest.Builder request(String path) throws IOException {
        return HttpRequest.newBuilder(URI.create(url() + path))
                .timeout(PATIENCE)
                .header("Authorization", "Bearer " + token())
                .header("Content-Type", "application/json");
    }

    /// The answer as it is. With a key, if there is one.
    HttpResponse<String> send(String path, @Nullable String key, String body) throws Exception {
        var request = request(path).POST(HttpRequest.BodyPublishers.ofString(body));
        return HTTP.send(
                (key == null ? request : request.header("Idempotency-Key", key)).build(), BodyHandlers.ofString());
    }

    HttpResponse<String> fetch(String path) throws Exception {
        return HTTP.send(request(path).GET().build(), BodyHandlers.ofString());
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void signal(String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    /// What it has logged so far.
    String log() {
        try {
            return Files.readString(home.resolve(LOG_FILE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// As `kill -HUP` does it.
    void hangUp() throws Exception {
        var kill = new ProcessBuilder("kill", "-HUP", Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    /// As `kill -9` does it.
    void kill() throws InterruptedException {
        process.destroyForcibly();
        ends();
    }

    /// As `kill` does it.
    void stop() {
        process.destroy();
    }

    void ends() throws InterruptedException {
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    record Event(String name, String id, JsonNode data) {}

    /// A stream of events, which may break off.
    static final class Events implements AutoCloseable {
        private final InputStream body;
        private final BufferedReader lines;
        final List<Event> heard = new ArrayList<>();

        Events(HttpResponse<InputStream> response) {
            body = response.body();
            lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        }

        /// Everything up to the event that is meant, or until the stream ends or breaks off.
        List<Event> until(Predicate<Event> last) {
            String name = "";
            String id = "";
            try {
                for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith("event: ")) {
                        name = line.substring(7);
                        id = "";
                    } else if (line.startsWith("id: ")) {
                        id = line.substring(4);
                    } else if (line.startsWith("data: ")) {
                        var event = new Event(name, id, Json.MAPPER.readTree(line.substring(6)));
                        heard.add(event);
                        if (last.test(event)) {
                            break;
                        }
                    }
                }
            } catch (IOException _) {
                // It broke off.
            }
            return heard;
        }

        @Override
        public void close() {
            try {
                body.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}

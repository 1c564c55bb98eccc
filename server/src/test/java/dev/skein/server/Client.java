package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.wire.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Speaks HTTP as one caller. Every JSON answer is held to the API's description.
final class Client {

    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(60))
            .build();

    private final int port;
    private final @Nullable String name;
    private final Map<String, String> headers;

    Client(int port, @Nullable String name) {
        this(port, name, Map.of());
    }

    private Client(int port, @Nullable String name, Map<String, String> headers) {
        this.port = port;
        this.name = name;
        this.headers = headers;
    }

    Client with(String header, String value) {
        var more = new HashMap<>(headers);
        more.put(header, value);
        return new Client(port, name, more);
    }

    record Answer(int status, String body, HttpResponse<?> response) {
        JsonNode json() {
            return Json.MAPPER.readTree(body);
        }

        String text(String field) {
            return json().path(field).asString("");
        }

        String code() {
            return json().path("error").path("code").asString("");
        }

        Answer is(int expected) {
            assertThat(status).as(body).isEqualTo(expected);
            return this;
        }

        String header(String header) {
            return response.headers().firstValue(header).orElse("");
        }
    }

    Answer get(String path) {
        return send("GET", path, null);
    }

    Answer post(String path, String body) {
        return send("POST", path, body);
    }

    Answer send(String method, String path, @Nullable String body) {
        var request = request(path)
                .method(
                        method,
                        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
        if (body != null && !headers.containsKey("Content-Type")) {
            request.header("Content-Type", "application/json");
        }
        var response = sent(request.build(), BodyHandlers.ofString());
        var answer = new Answer(response.statusCode(), response.body(), response);
        assertThat(answer.header("X-Request-Id")).isNotEmpty();
        Described.hold(method, path, answer);
        return answer;
    }

    String create(String body) {
        return post("/v1/sessions", body).is(201).text("id");
    }

    Events stream(String path, String body) {
        var request = request(path)
                .header("Content-Type", "application/json")
                .header("Accept", "text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        return new Events(sent(request.build(), BodyHandlers.ofInputStream()));
    }

    Events follow(String session) {
        var request = request("/v1/sessions/" + session + "/events").GET();
        return new Events(sent(request.build(), BodyHandlers.ofInputStream()));
    }

    Events followNewest(String session, int newest) {
        var request =
                request("/v1/sessions/" + session + "/events?newest=" + newest).GET();
        return new Events(sent(request.build(), BodyHandlers.ofInputStream()));
    }

    Events follow(String session, String lastEventId) {
        return with("Last-Event-ID", lastEventId).follow(session);
    }

    private HttpRequest.Builder request(String path) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(60));
        if (name != null) {
            request.header("Authorization", "Bearer " + name);
        }
        headers.forEach(request::header);
        return request;
    }

    private static <T> HttpResponse<T> sent(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        try {
            return HTTP.send(request, handler);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// One event as it came.
    record Event(String name, @Nullable String id, JsonNode data) {
        String text() {
            return data.path("text").asString("");
        }
    }

    /// A stream that is open.
    static final class Events implements AutoCloseable {
        final HttpResponse<InputStream> response;
        private final BufferedReader lines;
        final List<Event> heard = new ArrayList<>();

        Events(HttpResponse<InputStream> response) {
            this.response = response;
            this.lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
        }

        /// The next event; null at the end.
        @Nullable
        Event next() {
            String event = "";
            String id = null;
            var data = new StringBuilder();
            try {
                for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.isEmpty()) {
                        if (!event.isEmpty()) {
                            var whole = new Event(event, id, Json.MAPPER.readTree(data.toString()));
                            Described.holdEvent(whole);
                            heard.add(whole);
                            return whole;
                        }
                    } else if (line.startsWith("event: ")) {
                        event = line.substring(7);
                    } else if (line.startsWith("id: ")) {
                        id = line.substring(4);
                    } else if (line.startsWith("data: ")) {
                        data.append(line.substring(6));
                    } else {
                        assertThat(line).startsWith(":");
                    }
                }
                return null;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /// Everything up to the first event that is meant.
        List<Event> until(Predicate<Event> last) {
            var all = new ArrayList<Event>();
            for (var event = next(); event != null; event = next()) {
                all.add(event);
                if (last.test(event)) {
                    return all;
                }
            }
            throw new AssertionError("the stream ended before that; it said " + all);
        }

        List<Event> untilNamed(String name) {
            return until(event -> event.name().equals(name));
        }

        List<Event> toEnd() {
            var all = new ArrayList<Event>();
            for (var event = next(); event != null; event = next()) {
                all.add(event);
            }
            return all;
        }

        @Override
        public void close() {
            try {
                response.body().close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}

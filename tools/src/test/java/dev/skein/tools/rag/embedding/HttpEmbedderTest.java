package dev.skein.tools.rag.embedding;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.skein.cancellation.Cancellation;
import dev.skein.failure.Cancelled;
import dev.skein.failure.RagFailed;
import dev.skein.wire.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// A provider's embeddings, over a real connection.
class HttpEmbedderTest {

    private static final HttpEmbedder.Terms TERMS =
            new HttpEmbedder.Terms(Duration.ofSeconds(30), Duration.ofMillis(1));

    private final List<JsonNode> asked = new ArrayList<>();
    private final List<String> keys = new ArrayList<>();
    private final Deque<String> answers = new ArrayDeque<>();
    private HttpServer server;
    private HttpEmbedder embedder;

    /// Answers `status body` in turn; when there is none left, as asked, in reverse order.
    @BeforeEach
    void a_provider() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/v1/embeddings", exchange -> {
            var question = Json.MAPPER.readTree(exchange.getRequestBody().readAllBytes());
            String scripted;
            synchronized (asked) {
                asked.add(question);
                keys.add(exchange.getRequestHeaders().getFirst("Authorization"));
                scripted = answers.poll();
            }
            var status = scripted == null ? 200 : Integer.parseInt(scripted.substring(0, 3));
            var body = scripted == null ? vectors(question.path("input")) : scripted.substring(4);
            exchange.sendResponseHeaders(status, body.getBytes(UTF_8).length);
            try (var out = exchange.getResponseBody()) {
                out.write(body.getBytes(UTF_8));
            }
        });
        server.start();
        var base = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v1/");
        embedder = new HttpEmbedder("test:small", base, "small", "secret-key", TERMS);
    }

    @AfterEach
    void the_end() {
        server.stop(0);
    }

    private static String vectors(JsonNode input) {
        var data = new ArrayList<String>();
        for (int i = input.size() - 1; i >= 0; i--) {
            data.add("{\"index\":%d,\"embedding\":[%d,4]}"
                    .formatted(i, input.get(i).asString().length()));
        }
        return "{\"data\":[" + String.join(",", data) + "]}";
    }

    private List<float[]> embed(String... texts) {
        return embedder.embed(List.of(texts), Embedder.Role.PASSAGE, new Cancellation());
    }

    @Test
    void vectors_come_in_the_order_of_the_texts_with_length_one() {
        var vectors = embed("abc", "");

        assertThat(vectors.get(0)).containsExactly(0.6f, 0.8f);
        assertThat(vectors.get(1)).containsExactly(0f, 1f);
        assertThat(keys).containsExactly("Bearer secret-key");
        assertThat(asked.getFirst().path("model").asString()).isEqualTo("small");
    }

    @Test
    void many_texts_are_sent_in_several_requests() {
        var texts = IntStream.range(0, 150).mapToObj(i -> "x".repeat(i % 7)).toArray(String[]::new);

        assertThat(embed(texts)).hasSize(150);
        assertThat(asked).hasSize(3);
    }

    @Test
    void an_overloaded_provider_is_asked_again() {
        answers.add("429 slow down");
        answers.add("503 later");

        assertThat(embed("abc")).hasSize(1);
        assertThat(asked).hasSize(3);
    }

    @Test
    void a_refusal_is_told_without_the_key() {
        answers.add("401 the key secret-key is wrong");

        assertThatThrownBy(() -> embed("abc"))
                .isInstanceOf(RagFailed.class)
                .hasMessageContaining("test:small")
                .hasMessageContaining("401")
                .hasMessageNotContaining("secret-key");
        assertThat(asked).hasSize(1);
    }

    @Test
    void answers_that_make_no_sense_are_refused() {
        for (var answer : List.of(
                "200 <html>",
                "200 {}",
                "200 {\"data\":[]}",
                "200 {\"data\":[{\"index\":7,\"embedding\":[1]}]}",
                "200 {\"data\":[{\"index\":0,\"embedding\":[]}]}",
                "200 {\"data\":[{\"index\":0,\"embedding\":[0,0]}]}")) {
            answers.add(answer);
            assertThatThrownBy(() -> embed("abc")).as(answer).isInstanceOf(RagFailed.class);
        }
    }

    @Test
    void a_provider_that_is_away_is_given_up_and_a_cancelled_request_is_not_made() {
        server.stop(0);

        assertThatThrownBy(() -> embed("abc")).isInstanceOf(RagFailed.class).hasMessageContaining("try again");
        var cancelled = new Cancellation();
        cancelled.cancel("enough");
        assertThatThrownBy(() -> embedder.embed(List.of("abc"), Embedder.Role.PASSAGE, cancelled))
                .isInstanceOf(Cancelled.class);
    }

    @Test
    void attack_20_a_key_with_a_line_break_is_refused_and_not_repeated() {
        var base = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v1/");
        var broken = new HttpEmbedder("test:small", base, "small", "secret-key\r\nEvil: 1", TERMS);

        assertThatThrownBy(() -> broken.embed(List.of("a"), Embedder.Role.PASSAGE, new Cancellation()))
                .hasMessageContaining("cannot be sent")
                .hasMessageNotContaining("secret-key")
                .hasNoCause();
        assertThat(asked).isEmpty();
    }
}

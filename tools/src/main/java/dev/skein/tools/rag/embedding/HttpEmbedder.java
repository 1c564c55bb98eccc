package dev.skein.tools.rag.embedding;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.Cancelled;
import dev.skein.failure.RagFailed;
import dev.skein.wire.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// A model of a provider that speaks OpenAI's format. What is embedded is sent there.
public final class HttpEmbedder implements Embedder {

    private static final int BATCH = 64;
    private static final int TRIES = 4;
    private static final int ANSWER_BYTES_MAX = 64_000_000;
    private static final Duration CONNECT_TIME = Duration.ofSeconds(10);

    private final String name;
    private final URI address;
    private final String model;
    private final String key;
    private final Terms terms;

    /// Made when the first text comes.
    private final Supplier<HttpClient> client;

    /// How long one request may take, and how long to wait before the second try; then twice that, and so on.
    public record Terms(Duration timeout, Duration pause) {

        public static final Terms STANDARD = new Terms(Duration.ofSeconds(60), Duration.ofMillis(500));
    }

    /// Nothing is sent yet.
    ///
    /// @param name how it is called here, as `provider:model`
    /// @param base the address that ends before `/embeddings`
    /// @param model how the provider calls it
    /// @param key empty if none is needed
    public HttpEmbedder(String name, URI base, String model, String key, Terms terms) {
        this.name = name;
        this.address = URI.create(base.toString().replaceFirst("/+$", "") + "/embeddings");
        this.model = model;
        this.key = key;
        this.terms = terms;
        this.client = new Once();
    }

    private record Question(String model, List<String> input) {}

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<float[]> embed(List<String> texts, Role role, Cancellation cancellation) {
        var vectors = new ArrayList<float[]>(texts.size());
        for (int from = 0; from < texts.size(); from += BATCH) {
            var batch = texts.subList(from, Math.min(from + BATCH, texts.size()));
            vectors.addAll(vectors(ask(batch, cancellation), batch.size()));
        }
        return vectors;
    }

    /// The JDK would repeat the key in its complaint.
    private void prove(HttpRequest.Builder request) {
        try {
            if (!key.isEmpty()) {
                request.header("Authorization", "Bearer " + key);
            }
        } catch (IllegalArgumentException _) {
            throw failure("its key holds a character that cannot be sent; look for line breaks in it", null);
        }
    }

    /// Asks again if the provider is overloaded or out of reach.
    private byte[] ask(List<String> batch, Cancellation cancellation) {
        var body = Json.MAPPER.writeValueAsString(new Question(model, batch));
        var request = HttpRequest.newBuilder(address)
                .timeout(terms.timeout())
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        prove(request);
        var pause = terms.pause();
        for (int attempt = 1; ; attempt++) {
            cancellation.check();
            try {
                var answer = send(request.build(), cancellation);
                if (answer.statusCode() == 200) {
                    return body(answer);
                }
                var isBusy = answer.statusCode() == 429 || answer.statusCode() >= 500;
                if (!isBusy || attempt == TRIES) {
                    throw failure("status " + answer.statusCode() + ": " + excerpt(body(answer)), null);
                }
                answer.body().close();
            } catch (IOException e) {
                cancellation.check();
                if (attempt == TRIES) {
                    throw failure(String.valueOf(e.getMessage()), e);
                }
            }
            await(pause, cancellation);
            pause = pause.multipliedBy(2);
        }
    }

    private HttpResponse<InputStream> send(HttpRequest request, Cancellation cancellation) throws IOException {
        var sent = client.get().sendAsync(request, HttpResponse.BodyHandlers.ofInputStream());
        try (var _ = cancellation.onCancel(() -> sent.cancel(true))) {
            return sent.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
        } catch (CancellationException e) {
            throw new IOException("cancelled", e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Cancelled("its thread was interrupted");
        }
    }

    private static byte[] body(HttpResponse<InputStream> answer) throws IOException {
        try (var in = answer.body()) {
            var bytes = in.readNBytes(ANSWER_BYTES_MAX + 1);
            if (bytes.length > ANSWER_BYTES_MAX) {
                throw new IOException("the answer has more than " + ANSWER_BYTES_MAX + " bytes");
            }
            return bytes;
        }
    }

    private static void await(Duration pause, Cancellation cancellation) {
        var cancelled = new CountDownLatch(1);
        try (var _ = cancellation.onCancel(cancelled::countDown)) {
            var _ = cancelled.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Cancelled("its thread was interrupted");
        }
    }

    /// The vectors in the order of the texts, whatever the order of the answer.
    private List<float[]> vectors(byte[] answer, int count) {
        JsonNode data;
        try {
            data = Json.MAPPER.readTree(answer).path("data");
        } catch (JacksonException e) {
            throw failure("its answer is not JSON: " + excerpt(answer), e);
        }
        var vectors = new float[count][];
        for (int i = 0; i < data.size(); i++) {
            var index = data.get(i).path("index").asInt(i);
            var embedding = data.get(i).path("embedding");
            if (index < 0 || index >= count || !embedding.isArray() || embedding.isEmpty()) {
                throw failure("its answer has no vector at " + i, null);
            }
            vectors[index] = Vectors.unit(name, vector(embedding));
        }
        for (var vector : vectors) {
            if (vector == null || vector.length != vectors[0].length) {
                throw failure("it answered with " + data.size() + " vectors for " + count + " texts", null);
            }
        }
        return Arrays.asList(vectors);
    }

    private static float[] vector(JsonNode embedding) {
        var vector = new float[embedding.size()];
        for (int i = 0; i < vector.length; i++) {
            vector[i] = embedding.get(i).floatValue();
        }
        return vector;
    }

    private String excerpt(byte[] answer) {
        var text = new String(answer, 0, Math.min(answer.length, 300), UTF_8);
        return key.isEmpty() ? text : text.replace(key, "[key]");
    }

    private RagFailed failure(String why, @Nullable Throwable cause) {
        return RagFailed.embedding(
                "the embedding model '" + name + "' did not answer (" + why + "); check its provider and try again",
                cause);
    }

    @Override
    public String toString() {
        return name;
    }

    private static final class Once implements Supplier<HttpClient> {

        private @Nullable HttpClient made;

        @Override
        public synchronized HttpClient get() {
            if (made == null) {
                made = HttpClient.newBuilder().connectTimeout(CONNECT_TIME).build();
            }
            return made;
        }
    }
}

package dev.skein.provider.remote;

import dev.skein.message.Part;
import dev.skein.model.ModelRequest;
import dev.skein.provider.catalog.ModelInfo;
import dev.skein.provider.http.Endpoint;
import dev.skein.provider.http.Framing;
import dev.skein.provider.http.StreamingHttp;
import dev.skein.wire.Json;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A model whose format we write and read ourselves, as JSON.
public abstract class JsonModel extends RemoteModel {

    private final StreamingHttp http;
    private final Framing framing;

    protected JsonModel(ModelInfo info, Endpoint endpoint, StreamingHttp http, Framing framing) {
        super(info, endpoint);
        this.http = http;
        this.framing = framing;
    }

    /// Hears one reply. For one thread and one reply.
    public interface Listener {

        /// Speaks what an event says.
        ///
        /// @throws ProviderSaid if the event is a failure
        void hear(JsonNode event, Speech speech);

        /// What is known when the stream is over.
        Ended ended(Speech speech);
    }

    /// Where requests go, after the base address.
    protected abstract String path();

    protected abstract Map<String, String> headers();

    /// The request in the provider's words.
    protected abstract ObjectNode body(ModelRequest request);

    protected abstract Listener listener();

    @Override
    protected final Ended talk(ModelRequest request, Speech speech) throws IOException, InterruptedException {
        var body = worded(() -> {
            requireMessages(request);
            return body(request);
        });
        var listener = listener();
        var url = URI.create(endpoint().baseUrl() + path());
        http.post(url, headers(), body, framing, event -> listener.hear(event, speech));
        return listener.ended(speech);
    }

    private static void requireMessages(ModelRequest request) {
        if (request.messages().isEmpty()) {
            throw new IllegalArgumentException("there is no message to answer");
        }
        request.messages().stream()
                .flatMap(message -> message.parts().stream())
                .filter(part -> part instanceof Part.Image image && image.data() == null)
                .forEach(image -> URI.create(String.valueOf(((Part.Image) image).url())));
    }

    /// The bearer's header, if there is a key.
    protected final Map<String, String> bearer() {
        var key = endpoint().key().reveal();
        return key.isBlank() ? Map.of() : Map.of("Authorization", "Bearer " + key);
    }

    protected static ObjectNode object() {
        return Json.MAPPER.createObjectNode();
    }
}

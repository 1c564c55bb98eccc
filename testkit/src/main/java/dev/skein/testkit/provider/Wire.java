package dev.skein.testkit.provider;

import dev.skein.message.Usage;
import dev.skein.model.ModelReply.StopReason;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A provider's format on the network: how it says things, and where it expects them. One of these per reply, as some
/// formats count their blocks.
public interface Wire {

    /// What a format can carry beyond text and tools.
    enum Feature {
        THINKING,
        SIGNATURES,
        HIDDEN_THINKING,
        BLOCKS,
        CACHE_READS,
        CACHE_WRITES,
        REASONING_TOKENS,
        /// A reply can end because it was filtered.
        FILTERING,
        /// An error in a stream says of which kind it is.
        ERROR_KINDS,
        /// Pictures may be given by their address.
        IMAGE_ADDRESSES,
        /// Arguments of a call are a text, which may be anything.
        ARGUMENT_TEXT
    }

    Set<Feature> features();

    /// The path of a request, after the base address, with its query.
    String path();

    default String contentType() {
        return "text/event-stream";
    }

    /// An event with these data, whatever they are.
    default String event(String data) {
        return "data: " + data + "\n\n";
    }

    /// What means nothing in the middle of a stream.
    default String noise() {
        return ": ping\n\n\n\n: ping\r\n\r\n";
    }

    /// The header that carries the key, and its value.
    Map.Entry<String, String> authorization(String key);

    /// The events that open a reply.
    String begin(Usage usage);

    /// The events of one step that is spoken; null if the step is none.
    @Nullable
    String speak(Answer.Step step);

    /// The events that end a reply.
    String end(StopReason stop, Usage usage);

    /// A fresh copy, for the next reply.
    Wire fresh();

    @Nullable
    String systemOf(JsonNode request);

    /// The texts of the user, in order.
    List<String> promptsOf(JsonNode request);

    /// Pictures, as data URLs or addresses.
    List<String> imagesOf(JsonNode request);

    /// Which text each tool call was answered with.
    Map<String, String> toolResultsOf(JsonNode request);

    /// Which arguments each tool was called with, by call.
    Map<String, JsonNode> toolCallsOf(JsonNode request);

    /// The schema of each tool that is offered.
    Map<String, JsonNode> toolsOf(JsonNode request);

    /// Thoughts sent back: text to signature.
    Map<String, String> thoughtsOf(JsonNode request);
}

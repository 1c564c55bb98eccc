package dev.skein.message;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// One piece of a message's content.
public sealed interface Part {

    /// The name of this kind of part on the wire.
    @JsonProperty("type")
    String type();

    /// Plain words.
    @JsonPropertyOrder("type")
    @JsonIgnoreProperties(value = "type", allowGetters = true)
    record Text(String text) implements Part {
        public Text {
            requireNonNull(text, "text");
        }

        @Override
        public String type() {
            return "text";
        }
    }

    /// A picture: its bytes in base64, or where they are; `source` is where a person took it from.
    @JsonPropertyOrder("type")
    @JsonIgnoreProperties(value = "type", allowGetters = true)
    record Image(
            @Nullable String mimeType,
            @Nullable String data,
            @Nullable String url,
            @Nullable String source) implements Part {
        public Image {
            if (data == null && url == null) {
                throw new IllegalArgumentException("an image needs data or a url");
            }
        }

        @Override
        public String type() {
            return "image";
        }
    }

    /// What the model thought. The signature is the provider's and is sent back byte for byte; `redacted`
    /// holds thinking that only the provider can read.
    @JsonPropertyOrder("type")
    @JsonIgnoreProperties(value = "type", allowGetters = true)
    record Thinking(
            String text,
            @Nullable String signature,
            @Nullable String redacted) implements Part {
        public Thinking {
            text = requireNonNullElse(text, "");
        }

        @Override
        public String type() {
            return "thinking";
        }
    }

    /// The model asks for a tool.
    @JsonPropertyOrder("type")
    @JsonIgnoreProperties(value = "type", allowGetters = true)
    record ToolCall(
            ToolCallId id,
            String name,
            JsonNode arguments,
            @Nullable String signature) implements Part {
        public ToolCall {
            requireNonNull(id, "id");
            requireNonNull(name, "name");
            arguments = requireNonNullElse(arguments, JsonNodeFactory.instance.objectNode());
        }

        @Override
        public String type() {
            return "tool_call";
        }
    }

    /// What a tool answered. `data` is the structured form of the content, when the tool gave one.
    @JsonPropertyOrder("type")
    @JsonIgnoreProperties(value = "type", allowGetters = true)
    record ToolResult(
            ToolCallId call,
            String name,
            List<Part> content,
            boolean isError,
            @Nullable JsonNode data) implements Part {
        public ToolResult {
            requireNonNull(call, "call");
            name = requireNonNullElse(name, "");
            content = List.copyOf(requireNonNullElse(content, List.of()));
        }

        public static ToolResult text(ToolCallId call, String name, String text) {
            return new ToolResult(call, name, List.of(new Text(text)), false, null);
        }

        @Override
        public String type() {
            return "tool_result";
        }
    }

    /// A part of a kind this version does not know. Kept as it was.
    record Unknown(@JsonValue ObjectNode body) implements Part {
        @Override
        public String type() {
            return body.path("type").asString("unknown");
        }
    }
}

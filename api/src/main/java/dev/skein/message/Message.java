package dev.skein.message;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Something said in a session, complete.
///
/// `reply` says which model answered and how it stopped; only assistant messages have it.
public record Message(
        MessageId id,
        Role role,
        Instant at,
        List<Part> parts,
        @Nullable Reply reply,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, JsonNode> metadata) {

    public Message {
        requireNonNull(id, "id");
        requireNonNull(role, "role");
        requireNonNull(at, "at");
        parts = List.copyOf(requireNonNullElse(parts, List.of()));
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(requireNonNullElse(metadata, Map.of())));
    }

    /// How an assistant message came about.
    public record Reply(
            @Nullable String model,
            @Nullable String provider,
            @Nullable String stopReason,
            @Nullable Usage usage,
            @Nullable String error) {}

    public static Message of(MessageId id, Role role, Instant at, Part... parts) {
        return new Message(id, role, at, List.of(parts), null, Map.of());
    }

    public static Message of(MessageId id, Role role, Instant at, String text) {
        return of(id, role, at, new Part.Text(text));
    }

    public Message withParts(List<Part> changed) {
        return new Message(id, role, at, changed, reply, metadata);
    }

    /// The words of this message: its text parts, and the text inside tool results, line by line.
    public String text() {
        return texts(parts).collect(Collectors.joining("\n"));
    }

    /// The tools this message asks for, in the order asked.
    @JsonIgnore
    public List<Part.ToolCall> toolCalls() {
        return only(Part.ToolCall.class);
    }

    /// The tool results this message carries.
    @JsonIgnore
    public List<Part.ToolResult> toolResults() {
        return only(Part.ToolResult.class);
    }

    private <P extends Part> List<P> only(Class<P> kind) {
        return parts.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private static Stream<String> texts(List<Part> parts) {
        return parts.stream().flatMap(part -> switch (part) {
            case Part.Text(var text) -> Stream.of(text);
            case Part.ToolResult result -> texts(result.content());
            case Part.Image _, Part.Thinking _, Part.ToolCall _, Part.Unknown _ -> Stream.empty();
        });
    }
}

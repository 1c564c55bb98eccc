package dev.skein.exchange.loki;

import dev.skein.exchange.loki.YamlValue.Mapping;
import dev.skein.exchange.loki.YamlValue.Scalar;
import dev.skein.exchange.loki.YamlValue.Sequence;
import dev.skein.failure.UnreadableImport;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.session.Ids;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Takes one `tool` message, which holds every tool round of a turn, apart into the messages it stands for:
/// an assistant's calls, then a result for each.
///
/// A message with `sequence: true` was merged from several rounds whose bounds are not recorded. Its calls
/// are taken one by one, each followed by its result, which is also how the original sends them to a model.
record ToolRounds(String source, Instant at, Ids ids, CallIds callIds) {

    /// Arguments may be JSON in a text; deeper ones than other values may be stay a text.
    private static final JsonMapper ARGUMENTS = new JsonMapper(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(YamlReader.DEPTH_MAX)
                    .build())
            .build());

    /// A call as the assistant made it, and the message that answers it.
    private record Answered(List<Part> asked, Message answer) {}

    /// `metadata` is what the message had beside its content.
    List<Message> messages(Mapping content, Map<String, JsonNode> metadata) {
        if (!(content.get("tool_results") instanceof Sequence results)) {
            throw unreadable(content, "has a message whose content is neither text, nor parts, nor tool results");
        }
        var first = new LinkedHashMap<>(metadata);
        content.without("tool_results", "text").forEachEntry(first::put);
        var narration = content.text("text");
        var parts = new ArrayList<Part>();
        if (narration != null && !narration.isEmpty()) {
            parts.add(new Part.Text(narration));
        }
        var rounds = results.items().stream().map(this::answered).toList();
        var inSequence = content.get("sequence") instanceof Scalar scalar && Boolean.TRUE.equals(scalar.asBoolean());
        return inSequence && rounds.size() > 1 ? oneByOne(rounds, parts, first) : together(rounds, parts, first);
    }

    private List<Message> together(List<Answered> rounds, List<Part> parts, Map<String, JsonNode> metadata) {
        rounds.forEach(round -> parts.addAll(round.asked()));
        var messages = new ArrayList<Message>();
        messages.add(asking(parts, metadata));
        rounds.forEach(round -> messages.add(round.answer()));
        return messages;
    }

    private List<Message> oneByOne(List<Answered> rounds, List<Part> parts, Map<String, JsonNode> metadata) {
        var messages = new ArrayList<Message>();
        for (var round : rounds) {
            var isFirst = messages.isEmpty();
            var asked = new ArrayList<>(isFirst ? parts : List.of());
            asked.addAll(round.asked());
            messages.add(asking(asked, isFirst ? metadata : Map.of()));
            messages.add(round.answer());
        }
        return messages;
    }

    private Message asking(List<Part> parts, Map<String, JsonNode> metadata) {
        return new Message(ids.message(), Role.ASSISTANT, at, parts, null, metadata);
    }

    private Answered answered(YamlValue item) {
        if (!(item instanceof Mapping result)
                || !(result.get("call") instanceof Mapping call)
                || !(call.get("name") instanceof Scalar named)) {
            throw unreadable(item, "has a tool result without the call and the name it belongs to");
        }
        var name = named.text();
        var id = callIds.idOf(call);
        var asked = new ArrayList<Part>();
        if (result.get("thinking") instanceof Sequence thoughts) {
            thoughts.items().forEach(thought -> asked.add(thinking(thought)));
        }
        var narration = result.text("text");
        if (narration != null && !narration.isEmpty()) {
            asked.add(new Part.Text(narration));
        }
        asked.add(new Part.ToolCall(id, name, arguments(call.get("arguments")), call.text("thought_signature")));
        return new Answered(asked, answer(id, name, result, call));
    }

    private Message answer(ToolCallId id, String name, Mapping result, Mapping call) {
        var metadata = new LinkedHashMap<String, JsonNode>();
        result.without("call", "output", "text", "thinking").forEachEntry(metadata::put);
        var unknown = call.without("name", "arguments", "id", "thought_signature");
        if (!unknown.isEmpty()) {
            metadata.put("call", unknown);
        }
        var output = result.get("output");
        var data = output == null ? null : output.json();
        var part = data == null || data.isString()
                ? Part.ToolResult.text(id, name, data == null ? "" : data.stringValue())
                : new Part.ToolResult(id, name, List.of(new Part.Text(data.toString())), false, data);
        return new Message(ids.message(), Role.TOOL, at, List.of(part), null, metadata);
    }

    private static Part thinking(YamlValue thought) {
        if (!(thought instanceof Mapping mapping)) {
            return new Part.Unknown(JsonNodeFactory.instance.objectNode().set("thinking", thought.json()));
        }
        var type = mapping.text("type");
        if ("thinking".equals(type) && mapping.get("thinking") instanceof Scalar text) {
            return new Part.Thinking(text.text(), mapping.text("signature"), null);
        }
        if ("redacted_thinking".equals(type) && mapping.get("data") instanceof Scalar data) {
            return new Part.Thinking("", null, data.text());
        }
        return new Part.Unknown(mapping.json());
    }

    private static JsonNode arguments(@Nullable YamlValue given) {
        if (given == null) {
            return JsonNodeFactory.instance.objectNode();
        }
        var json = given.json();
        if (!json.isString()) {
            return json;
        }
        try {
            return ARGUMENTS.readTree(json.stringValue()) instanceof ObjectNode object ? object : json;
        } catch (JacksonException _) {
            return json;
        }
    }

    private UnreadableImport unreadable(YamlValue where, String problem) {
        return UnreadableImport.atLine(source, where.line(), problem, null);
    }
}

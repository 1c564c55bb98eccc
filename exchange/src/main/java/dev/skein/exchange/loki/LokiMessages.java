package dev.skein.exchange.loki;

import dev.skein.exchange.loki.YamlValue.Mapping;
import dev.skein.exchange.loki.YamlValue.Scalar;
import dev.skein.exchange.loki.YamlValue.Sequence;
import dev.skein.failure.UnreadableImport;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.session.Ids;
import dev.skein.session.OwnNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Turns the messages of a file into ours. One of theirs becomes one of ours, except that a message with tool
/// results becomes the calls and the results it stands for.
///
/// Keys nobody here knows are kept in the message's metadata; so is a role that Skein has no word for, or
/// that does not go with the content. Such a message counts as the user's.
record LokiMessages(String source, Instant at, Ids ids, LokiImages images, ToolRounds rounds) {

    static LokiMessages of(Mapping file, String source, Instant at, Ids ids) {
        var images = new LokiImages(file.get("data_urls") instanceof Mapping paths ? paths : null);
        return new LokiMessages(source, at, ids, images, new ToolRounds(source, at, ids, new CallIds(file)));
    }

    /// The messages that one of theirs stands for.
    List<Message> messages(YamlValue given) {
        if (!(given instanceof Mapping message)) {
            throw unreadable(given, "has a message that is not a map");
        }
        if (!(message.get("role") instanceof Scalar role)) {
            throw unreadable(message, "has a message without a role");
        }
        var unknown = new LinkedHashMap<String, JsonNode>();
        message.without("role", "content").forEachEntry(unknown::put);
        var metadata = OwnNames.imported(unknown);
        return switch (message.get("content")) {
            case null -> throw unreadable(message, "has a message without content");
            case Scalar words -> List.of(said(role.text(), List.of(new Part.Text(words.text())), metadata));
            case Sequence list -> List.of(said(role.text(), parts(list.items(), metadata), metadata));
            case Mapping content -> {
                noteRole(role.text(), Role.TOOL, metadata);
                yield rounds.messages(content, metadata);
            }
        };
    }

    static boolean isSystem(YamlValue message) {
        return message instanceof Mapping fields && Role.SYSTEM.toString().equals(fields.text("role"));
    }

    private Message said(String givenRole, List<Part> parts, Map<String, JsonNode> metadata) {
        var role = switch (givenRole) {
            case "system" -> Role.SYSTEM;
            case "assistant" -> Role.ASSISTANT;
            default -> Role.USER;
        };
        noteRole(givenRole, role, metadata);
        return new Message(ids.message(), role, at, parts, null, metadata);
    }

    private static void noteRole(String given, Role taken, Map<String, JsonNode> metadata) {
        if (!given.equals(taken.toString())) {
            metadata.put("role", JsonNodeFactory.instance.stringNode(given));
        }
    }

    /// Keys that a part has beyond those known go to the metadata, under `parts` and the part's place.
    private List<Part> parts(List<YamlValue> items, Map<String, JsonNode> metadata) {
        var unknown = JsonNodeFactory.instance.objectNode();
        var parts = new ArrayList<Part>(items.size());
        for (var item : items) {
            var rest = JsonNodeFactory.instance.objectNode();
            parts.add(part(item, rest));
            if (!rest.isEmpty()) {
                unknown.set(Integer.toString(parts.size() - 1), rest);
            }
        }
        if (!unknown.isEmpty()) {
            metadata.put("parts", unknown);
        }
        return parts;
    }

    private Part part(YamlValue item, ObjectNode rest) {
        return switch (item) {
            case Scalar words -> new Part.Text(words.text());
            case Mapping part -> part(part, rest);
            case Sequence list -> throw unreadable(list, "has a message part that is neither text nor a map");
        };
    }

    private Part part(Mapping part, ObjectNode rest) {
        var type = part.text("type");
        if ("text".equals(type) && part.get("text") instanceof Scalar text) {
            rest.setAll(part.without("type", "text"));
            return new Part.Text(text.text());
        }
        var url = "image_url".equals(type) ? url(part.get("image_url"), rest) : null;
        if (url == null) {
            return new Part.Unknown(part.json());
        }
        rest.setAll(part.without("type", "image_url"));
        return images.image(url);
    }

    private static @Nullable String url(@Nullable YamlValue place, ObjectNode rest) {
        return switch (place) {
            case Mapping map
            when map.present("url") instanceof Scalar url -> {
                var unknown = map.without("url");
                if (!unknown.isEmpty()) {
                    rest.set("image_url", unknown);
                }
                yield url.text();
            }
            case Scalar scalar when !scalar.isNull() -> scalar.text();
            case null, default -> null;
        };
    }

    private UnreadableImport unreadable(YamlValue where, String problem) {
        return UnreadableImport.atLine(source, where.line(), problem, null);
    }
}

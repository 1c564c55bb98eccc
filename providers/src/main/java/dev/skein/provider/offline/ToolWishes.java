package dev.skein.provider.offline;

import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.model.ModelRequest;
import dev.skein.tool.ToolSpec;
import dev.skein.wire.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The tools a prompt asks for: by name, `call NAME {json}` or `use NAME`, as often as it likes; else one, in plain
/// words.
///
/// Only an offered tool is called. A tool that nobody offers is mentioned if it was named with arguments: `call` alone
/// is too common a word.
record ToolWishes(List<Part.ToolCall> calls, List<String> notOffered) {

    static final ToolWishes NONE = new ToolWishes(List.of(), List.of());

    private static final Pattern WISH = Pattern.compile(
            "\\b(?:call|use)\\s+(?:the\\s+)?(?:tool\\s+)?[`'\"]?(?<name>[\\w.\\-]*\\w)[`'\"]?(?<brace>\\s*\\{)?",
            Pattern.CASE_INSENSITIVE);

    /// Reads one value and leaves what follows.
    private static final ObjectReader FIRST_VALUE =
            Json.MAPPER.readerFor(ObjectNode.class).without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    static ToolWishes in(ModelRequest request) {
        var prompt = latestPrompt(request.messages());
        if (prompt == null) {
            return NONE;
        }
        var offered = request.tools().stream().map(ToolSpec::name).collect(Collectors.toSet());
        var calls = new ArrayList<Part.ToolCall>();
        var notOffered = new ArrayList<String>();
        var text = prompt.text();
        var wishes = WISH.matcher(text);
        while (wishes.find()) {
            var name = wishes.group("name");
            if (offered.contains(name)) {
                var arguments = wishes.group("brace") == null ? null : firstObject(text.substring(wishes.end() - 1));
                calls.add(call(
                        request,
                        calls.size(),
                        name,
                        arguments == null ? JsonNodeFactory.instance.objectNode() : arguments));
            } else if (wishes.group("brace") != null) {
                notOffered.add(name);
            }
        }
        if (calls.isEmpty() && notOffered.isEmpty()) {
            PlainWords.in(text, offered).ifPresent(wish -> calls.add(call(request, 0, wish.tool(), wish.arguments())));
        }
        return new ToolWishes(calls, notOffered);
    }

    private static Part.ToolCall call(ModelRequest request, int index, String name, ObjectNode arguments) {
        var id = "offline-%d-%d".formatted(request.messages().size(), index);
        return new Part.ToolCall(new ToolCallId(id), name, arguments, null);
    }

    /// What the user said last, if anything.
    static @Nullable Message latestPrompt(List<Message> messages) {
        return messages.reversed().stream()
                .filter(message -> message.role() == Role.USER)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable ObjectNode firstObject(String text) {
        try {
            return FIRST_VALUE.readValue(text);
        } catch (JacksonException _) {
            return null;
        }
    }
}

package dev.skein.engine.role;

import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Role;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Something that could be said, and the answer that a role wants to it. A model sees it as if it had happened before.
public record Example(String input, String output) {

    private static final Pattern MARK = Pattern.compile("(?m)^###\\s*(INPUT|OUTPUT):[ \\t]*\\R?");

    /// A prompt, and the examples that stand behind it.
    record Split(String prompt, List<Example> examples) {}

    /// Examples stand behind lines `### INPUT:` and `### OUTPUT:`, in turn. Where they do not, the text is all prompt.
    static Split split(String text) {
        var marks = MARK.matcher(text).results().toList();
        var examples = new ArrayList<Example>();
        for (int i = 0; i < marks.size(); i += 2) {
            if (i + 1 == marks.size()
                    || !marks.get(i).group(1).equals("INPUT")
                    || !marks.get(i + 1).group(1).equals("OUTPUT")) {
                return new Split(text, List.of());
            }
            var end = i + 2 < marks.size() ? marks.get(i + 2).start() : text.length();
            examples.add(new Example(
                    text.substring(marks.get(i).end(), marks.get(i + 1).start()).strip(),
                    text.substring(marks.get(i + 1).end(), end).strip()));
        }
        return examples.isEmpty()
                ? new Split(text, List.of())
                : new Split(text.substring(0, marks.getFirst().start()).strip(), List.copyOf(examples));
    }

    /// As messages, which nobody keeps.
    public static List<Message> messages(List<Example> examples) {
        var number = new int[1];
        return examples.stream()
                .flatMap(example -> Stream.of(
                        message(++number[0], Role.USER, example.input()),
                        message(++number[0], Role.ASSISTANT, example.output())))
                .toList();
    }

    private static Message message(int number, Role role, String text) {
        return Message.of(new MessageId("example-" + number), role, Instant.EPOCH, text);
    }
}

package dev.skein.provider.offline;

import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What the offline model says where no tool is asked for: it counts, quotes what was said before, or repeats.
final class Talk {

    private static final int QUOTE_MAX = 2_000;
    private static final int COUNT_MAX = 10_000;
    private static final int EARLIER_MAX = 10;
    private static final int EARLIER_LENGTH_MAX = 200;

    private static final Pattern COUNT =
            Pattern.compile("\\bcount\\s+(?:from\\s+(?:1|one)\\s+)?to\\s+(\\d{1,6})\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern SLOWLY = Pattern.compile("\\bslowly\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern EARLIER = Pattern.compile(
            "\\bwhat\\s+(?:did|have)\\s+i\\s+(?:just\\s+)?(?:say|said|ask|asked|tell|told|write|written)\\b"
                    + "|\\bwhat\\s+(?:was|were)\\s+my\\s+(?:first|last|earlier|previous)\\b"
                    + "|\\bdo\\s+you\\s+remember\\b",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern REMEMBER =
            Pattern.compile("^\\s*(?:please\\s+)?remember\\b", Pattern.CASE_INSENSITIVE);

    private Talk() {}

    static boolean isSlow(List<Message> messages) {
        var prompt = ToolWishes.latestPrompt(messages);
        return prompt != null && SLOWLY.matcher(prompt.text()).find();
    }

    static String answer(List<Message> messages) {
        var prompt = ToolWishes.latestPrompt(messages);
        if (prompt == null) {
            return "Nothing was said yet.";
        }
        var count = COUNT.matcher(prompt.text());
        if (count.find()) {
            return counted(Integer.parseInt(count.group(1)));
        }
        if (EARLIER.matcher(prompt.text()).find()) {
            return earlier(messages);
        }
        var hint = REMEMBER.matcher(prompt.text()).find()
                ? " It stays in this session: ask \"what did I say before?\"."
                : "";
        return "You said: " + quote(prompt.text()) + hint + seen(prompt);
    }

    private static String counted(int last) {
        return IntStream.rangeClosed(1, Math.min(last, COUNT_MAX))
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(" "));
    }

    private static String seen(Message prompt) {
        var images =
                prompt.parts().stream().filter(Part.Image.class::isInstance).count();
        return images == 0 ? "" : " There were %d pictures, which it cannot see.".formatted(images);
    }

    private static String earlier(List<Message> messages) {
        var prompts = messages.stream()
                .filter(message ->
                        message.role() == Role.USER && message.toolResults().isEmpty())
                .map(Message::text)
                .filter(text -> !text.isBlank())
                .toList();
        var before = prompts.subList(0, Math.max(0, prompts.size() - 1));
        if (before.isEmpty()) {
            return "Before this you said nothing in this session.";
        }
        var first = Math.max(0, before.size() - EARLIER_MAX);
        var left = first == 0 ? "" : " (and %d times earlier)".formatted(first);
        return "Before this you said%s:".formatted(left)
                + IntStream.range(first, before.size())
                        .mapToObj(i -> "\n%d. %s".formatted(i + 1, shortened(before.get(i), EARLIER_LENGTH_MAX)))
                        .collect(Collectors.joining());
    }

    static String quote(String text) {
        return shortened(text, QUOTE_MAX);
    }

    private static String shortened(String text, int max) {
        return text.length() <= max ? text : text.substring(0, max) + " …";
    }
}

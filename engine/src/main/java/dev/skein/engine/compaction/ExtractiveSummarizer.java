package dev.skein.engine.compaction;

import dev.skein.cancellation.Cancellation;
import dev.skein.message.Message;
import dev.skein.message.Role;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Summarises without a model: the first words of what was asked and answered, oldest first, as long as there is
/// room; when there is too much, the oldest go.
public record ExtractiveSummarizer(int charactersMax) implements Summarizer {

    private static final int LINE_MAX = 160;
    private static final Pattern SPACE = Pattern.compile("\\s+");

    @Override
    public String summarize(List<Message> messages, Cancellation cancellation) {
        var lines = messages.stream()
                .filter(message ->
                        message.role() != Role.TOOL && !message.text().isBlank())
                .map(message -> message.role() + ": " + beginning(message.text()))
                .collect(Collectors.toList());
        var dropped = 0;
        while (lines.size() > 1
                && lines.stream().mapToInt(line -> line.length() + 1).sum() > charactersMax) {
            lines.removeFirst();
            dropped++;
        }
        return (dropped == 0 ? "" : "(" + dropped + " earlier messages left out)\n") + String.join("\n", lines);
    }

    private static String beginning(String text) {
        var line = SPACE.matcher(text.strip()).replaceAll(" ");
        return line.length() <= LINE_MAX
                ? line
                : line.substring(
                                0,
                                line.offsetByCodePoints(0, Math.min(LINE_MAX, line.codePointCount(0, line.length()))))
                        + "…";
    }
}

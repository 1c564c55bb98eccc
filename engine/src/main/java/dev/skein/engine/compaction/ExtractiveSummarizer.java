package dev.skein.engine.compaction;

import dev.skein.cancellation.Cancellation;
import dev.skein.message.Excerpt;
import dev.skein.message.Message;
import dev.skein.message.Role;
import java.util.List;
import java.util.stream.Stream;

/// Summarises without a model: the first words of what was asked and answered, oldest first, as long as there is
/// room; when there is too much, the oldest go. An earlier summary is taken over line by line.
public record ExtractiveSummarizer(int charactersMax) implements Summarizer {

    private static final int LINE_MAX = 160;

    @Override
    public String summarize(List<Message> messages, Cancellation cancellation) {
        var lines = messages.stream()
                .filter(message ->
                        message.role() != Role.TOOL && !message.text().isBlank())
                .flatMap(ExtractiveSummarizer::linesOf)
                .toList();
        var first = lines.size();
        var room = charactersMax;
        while (first > 0 && (first == lines.size() || lines.get(first - 1).length() < room)) {
            first--;
            room -= lines.get(first).length() + 1;
        }
        return (first == 0 ? "" : "(" + first + " earlier lines left out)\n")
                + String.join("\n", lines.subList(first, lines.size()));
    }

    private static Stream<String> linesOf(Message message) {
        return Compaction.isSummary(message)
                ? message.text().lines().skip(1)
                : Stream.of(message.role() + ": " + Excerpt.line(message.text(), LINE_MAX));
    }
}

package dev.skein.tools.rag.text;

import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A piece of a document as long as a passage should be.
///
/// @param heading the headings above it, from the outermost; empty if there are none
public record Chunk(String heading, Span span, String text) {

    /// Where it stands: `Setup > Linux, lines 3-9`.
    public Optional<String> place() {
        var place = Stream.of(Optional.of(heading).filter(text -> !text.isEmpty()), span.shown())
                .flatMap(Optional::stream)
                .collect(Collectors.joining(", "));
        return Optional.of(place).filter(text -> !text.isEmpty());
    }
}

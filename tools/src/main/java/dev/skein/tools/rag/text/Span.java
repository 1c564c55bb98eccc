package dev.skein.tools.rag.text;

import java.util.Optional;

/// From where to where something stands in its document, counted from 1, both ends included.
public record Span(Unit unit, int first, int last) {

    /// There is nothing to count.
    public static final Span NOWHERE = new Span(Unit.NOTHING, 0, 0);

    /// What is counted.
    public enum Unit {
        LINE,
        PAGE,
        NOTHING
    }

    public static Span lines(int first, int last) {
        return new Span(Unit.LINE, first, last);
    }

    public static Span page(int number) {
        return new Span(Unit.PAGE, number, number);
    }

    Span to(Span later) {
        return unit == later.unit ? new Span(unit, Math.min(first, later.first), Math.max(last, later.last)) : this;
    }

    /// In words: `lines 3-9`, `page 2`.
    public Optional<String> shown() {
        var word = switch (unit) {
            case LINE -> "line";
            case PAGE -> "page";
            case NOTHING -> "";
        };
        if (word.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(first == last ? word + " " + first : word + "s " + first + "-" + last);
    }
}

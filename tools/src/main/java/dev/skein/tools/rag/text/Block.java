package dev.skein.tools.rag.text;

/// What belongs together in a document: a heading, a paragraph, a list, a piece of code.
///
/// @param level of a heading, from 1; 0 for everything else
public record Block(int level, String text, Span span) {

    public static Block heading(int level, String text, Span span) {
        return new Block(level, text, span);
    }

    public static Block text(String text, Span span) {
        return new Block(0, text, span);
    }

    boolean isHeading() {
        return level > 0;
    }
}

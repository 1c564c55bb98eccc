package dev.skein.pattern;

/// A text that lets somebody know whenever one of its characters is looked at. A regular expression asks for each one
/// it compares, so whoever hears of it can end a match that would take longer than anybody can wait, by throwing.
///
/// @param look is run at each look, millions of times; what it throws ends the match
public record WatchedText(String text, Runnable look) implements CharSequence {

    @Override
    public char charAt(int index) {
        look.run();
        return text.charAt(index);
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.subSequence(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}

package dev.skein.store.jdbc.sql;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The texts of three characters that occur in a longer one, whatever their case: if a text contains another, its
/// grams contain the other's. That is what an index can tell quickly; whoever asks looks for himself afterwards.
public final class Grams {

    /// Grams that a search asks for at most. More would make it slower and hardly more exact.
    private static final int ASKED_MAX = 24;

    /// Between two texts, and in place of what a database cannot hold.
    private static final char MARK = '\uFFFD';

    private final StringBuilder folded = new StringBuilder();

    public static Grams of(String text) {
        var grams = new Grams();
        grams.add(text);
        return grams;
    }

    /// Each character on its own, as searching compares them.
    public void add(String text) {
        if (!folded.isEmpty()) {
            folded.append(MARK);
        }
        for (int i = 0; i < text.length(); i++) {
            var c = Character.toLowerCase(Character.toUpperCase(text.charAt(i)));
            folded.append(c < ' ' || Character.isSurrogate(c) ? MARK : c);
        }
    }

    /// Whether there is nothing that an index could be asked.
    public boolean isEmpty() {
        return folded.length() < 3;
    }

    public int length() {
        return folded.length();
    }

    /// As numbers. Two grams may share one, which costs a look and nothing else.
    int[] numbers() {
        return starts().map(i -> number(folded, i)).distinct().toArray();
    }

    int[] askedNumbers() {
        return asked().stream().mapToInt(gram -> number(gram, 0)).distinct().toArray();
    }

    String text() {
        return folded.toString();
    }

    List<String> asked() {
        return grams().distinct().limit(ASKED_MAX).toList();
    }

    private Stream<String> grams() {
        return starts().mapToObj(i -> folded.substring(i, i + 3));
    }

    private IntStream starts() {
        return IntStream.range(0, Math.max(0, folded.length() - 2));
    }

    private static int number(CharSequence text, int at) {
        return (text.charAt(at) * 31 + text.charAt(at + 1)) * 65_599 + text.charAt(at + 2);
    }
}

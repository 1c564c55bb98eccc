package dev.skein.tools.rag.text;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Counts words and cuts texts between them.
final class Words {

    private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?:;])\\s+");

    private Words() {}

    static int count(String text) {
        int words = 0;
        boolean inWord = false;
        for (int i = 0; i < text.length(); i++) {
            boolean letter = !Character.isWhitespace(text.charAt(i));
            if (letter && !inWord) {
                words++;
            }
            inWord = letter;
        }
        return words;
    }

    static boolean fits(String text, Chunking chunking) {
        return text.length() <= chunking.charsMax() && count(text) <= chunking.wordsMax();
    }

    /// One line in pieces that fit: sentences, or what is left of them.
    static List<String> pieces(String line, Chunking chunking) {
        var pieces = new ArrayList<String>();
        for (var sentence : SENTENCE_END.split(line)) {
            if (fits(sentence, chunking)) {
                pieces.add(sentence);
            } else {
                cut(sentence, chunking, pieces);
            }
        }
        return pieces;
    }

    private static void cut(String text, Chunking chunking, List<String> into) {
        int start = 0;
        while (start < text.length()) {
            int end = start;
            int words = 0;
            while (end < text.length() && end - start < chunking.charsMax() && words < chunking.wordsMax()) {
                if (Character.isWhitespace(text.charAt(end))) {
                    words++;
                }
                end++;
            }
            if (end < text.length() && Character.isLowSurrogate(text.charAt(end))) {
                end--;
            }
            into.add(text.substring(start, end).strip());
            start = end;
        }
    }

    /// The last so many words, from the beginning of a sentence if there is one among them.
    static String tail(String text, int words) {
        int start = text.length();
        int found = 0;
        while (start > 0 && found < words) {
            start--;
            if (Character.isWhitespace(text.charAt(start))
                    && start + 1 < text.length()
                    && !Character.isWhitespace(text.charAt(start + 1))) {
                found++;
            }
        }
        var tail = text.substring(start).strip();
        var sentences = SENTENCE_END.split(tail, 2);
        return sentences.length == 2 && !sentences[1].isBlank() ? sentences[1] : tail;
    }
}

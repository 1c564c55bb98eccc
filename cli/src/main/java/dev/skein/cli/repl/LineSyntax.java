package dev.skein.cli.repl;

import java.util.ArrayList;
import java.util.List;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;

/// When a line is complete, and what its words are.
///
/// A line that ends in a backslash goes on; what begins with `:::` goes on until a line that ends with it.
final class LineSyntax implements Parser {

    static final String BLOCK = ":::";

    /// Words as they stand between blanks: nothing is quoted in prose.
    private record Words(List<String> words, int wordIndex, int wordCursor, String line, int cursor)
            implements CompletingParsedLine {
        @Override
        public String word() {
            return words.get(wordIndex);
        }

        @Override
        public CharSequence escape(CharSequence candidate, boolean complete) {
            return candidate;
        }

        @Override
        public int rawWordCursor() {
            return wordCursor;
        }

        @Override
        public int rawWordLength() {
            return word().length();
        }
    }

    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
        if (context != ParseContext.COMPLETE && goesOn(line)) {
            throw new EOFError(-1, -1, "more to come");
        }
        var words = new ArrayList<String>();
        int index = 0;
        int within = 0;
        int start = 0;
        for (int i = 0; i <= line.length(); i++) {
            if (i == line.length() || Character.isWhitespace(line.charAt(i))) {
                if (cursor >= start && cursor <= i) {
                    index = words.size();
                    within = cursor - start;
                    words.add(line.substring(start, i));
                } else if (i > start) {
                    words.add(line.substring(start, i));
                }
                start = i + 1;
            }
        }
        return new Words(List.copyOf(words), index, within, line, cursor);
    }

    /// No character but the backslash of a line that goes on is special.
    @Override
    public boolean isEscapeChar(char c) {
        return false;
    }

    private static boolean goesOn(String text) {
        var stripped = text.strip();
        if (stripped.startsWith(BLOCK)) {
            return stripped.length() < 2 * BLOCK.length() || !stripped.endsWith(BLOCK);
        }
        return text.endsWith("\\");
    }

    /// What was meant: without the marks that only said how long it goes on.
    static String meant(String typed) {
        var stripped = typed.strip();
        if (stripped.startsWith(BLOCK) && stripped.endsWith(BLOCK) && stripped.length() >= 2 * BLOCK.length()) {
            return stripped.substring(BLOCK.length(), stripped.length() - BLOCK.length())
                    .strip();
        }
        return typed.replace("\\\n", "\n").strip();
    }
}

package dev.skein.cli.markdown;

import dev.skein.cli.terminal.Style;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Emphasis and code inside a line, word by word. A mark that opens nothing, as in `2 * 3` or `snake_case`, is text.
///
/// Not safe for use by several threads.
final class Inline {

    /// A piece of text in one style; in that of its line if null.
    record Run(@Nullable Style style, String text) {}

    private boolean bold;
    private boolean italic;
    /// How many backticks end the code we are in; 0 outside.
    private int ticks;

    /// A mark is forgotten at the end of its line, so that one that was never closed does no harm.
    void reset() {
        bold = false;
        italic = false;
        ticks = 0;
    }

    List<Run> runs(String word) {
        var runs = new ArrayList<Run>();
        var text = new StringBuilder();
        int i = 0;
        while (i < word.length()) {
            var length = markAt(word, i);
            if (length == 0) {
                var isEscape =
                        word.charAt(i) == '\\' && ticks == 0 && i + 1 < word.length() && isMark(word.charAt(i + 1));
                i += isEscape ? 1 : 0;
                text.append(word.charAt(i++));
                continue;
            }
            add(runs, text);
            turn(word.charAt(i), length);
            i += length;
        }
        add(runs, text);
        return runs;
    }

    private void add(List<Run> runs, StringBuilder text) {
        if (!text.isEmpty()) {
            runs.add(new Run(style(), text.toString()));
            text.setLength(0);
        }
    }

    private @Nullable Style style() {
        if (ticks > 0) {
            return Style.CYAN;
        }
        return bold ? (italic ? Style.BOLD_ITALIC : Style.BOLD) : italic ? Style.ITALIC : null;
    }

    private void turn(char mark, int length) {
        if (mark == '`') {
            ticks = ticks == 0 ? length : 0;
        } else {
            bold ^= length >= 2;
            italic ^= length != 2;
        }
    }

    /// How many characters of a mark that counts stand here.
    private int markAt(String word, int i) {
        var mark = word.charAt(i);
        var length = runLength(word, i);
        if (mark == '`') {
            return ticks == 0 || ticks == length ? length : 0;
        }
        if (ticks > 0 || (mark != '*' && mark != '_') || length > 3) {
            return 0;
        }
        var after = i + length < word.length() ? word.charAt(i + length) : ' ';
        var before = i > 0 ? word.charAt(i - 1) : ' ';
        var closes = (length >= 2 ? bold : italic) && before != ' ';
        var opens = after != ' ' && (length >= 2 ? !bold : !italic);
        if (mark == '_') {
            closes &= !Character.isLetterOrDigit(after);
            opens &= !Character.isLetterOrDigit(before);
        }
        return closes || opens ? length : 0;
    }

    private static int runLength(String word, int from) {
        int end = from;
        while (end < word.length() && word.charAt(end) == word.charAt(from)) {
            end++;
        }
        return end - from;
    }

    private static boolean isMark(char c) {
        return "*_`\\#".indexOf(c) >= 0;
    }
}

package dev.skein.cli.markdown;

import dev.skein.cli.terminal.Style;
import dev.skein.cli.terminal.Terminal;
import dev.skein.cli.terminal.TextWidth;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Shows a text in markdown as its pieces come, wherever they are cut: a word appears when it is complete, a line of
/// code when it has ended. Words wrap at the width the terminal has at that moment; code is left to the terminal, so
/// that it can be copied. Without colours the marks stay, because they are all the emphasis there is.
///
/// What it is given cannot command the terminal. Not safe for use by several threads.
public final class Markdown {

    private static final Pattern HEADING = Pattern.compile("#{1,6}");
    private static final Pattern BULLET = Pattern.compile("[-*+]");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,4}[.)]");
    private static final Pattern FENCE = Pattern.compile("\\s*(`{3,}|~{3,})\\s*([^`]*)");
    private static final Pattern RULE = Pattern.compile("\\s*(?:-{3,}|\\*{3,}|_{3,})\\s*");
    private static final int INDENT_MAX = 12;

    private final Terminal terminal;
    private final Inline inline = new Inline();

    /// Half a character, or half a line's end.
    private String carried = "";
    /// The beginning of a line that is not understood yet, or a line of code.
    private final StringBuilder line = new StringBuilder();
    private final StringBuilder blanks = new StringBuilder();
    private final StringBuilder word = new StringBuilder();
    private boolean isUnderstood;
    private @Nullable String fence;
    private String language = "";
    private @Nullable Style base;
    private String hang = "";
    private int column;

    public Markdown(Terminal terminal) {
        this.terminal = terminal;
    }

    /// Shows as much of this as can be understood by now.
    public void add(String piece) {
        var text = carried + piece;
        var last = text.isEmpty() ? ' ' : text.charAt(text.length() - 1);
        carried = Character.isHighSurrogate(last) || last == '\r' ? String.valueOf(last) : "";
        var safe = terminal.storedBlock(text.substring(0, text.length() - carried.length()));
        for (int i = 0; i < safe.length(); i++) {
            accept(safe.charAt(i));
        }
        terminal.flush();
    }

    /// Shows the rest, and goes to a line of its own. What comes next is another text.
    public void end() {
        for (var c : terminal.storedBlock(carried).toCharArray()) {
            accept(c);
        }
        carried = "";
        if (fence != null) {
            endCode();
        } else if (!line.isEmpty() || !word.isEmpty() || column > 0) {
            endLine();
        }
        fence = null;
        terminal.flush();
    }

    private void accept(char c) {
        if (c == '\n') {
            endLine();
        } else if (fence != null) {
            line.append(c);
        } else if (isUnderstood) {
            acceptInText(c);
        } else {
            line.append(c);
            if (Character.isWhitespace(c) && !line.toString().isBlank() && !mayBeFence()) {
                understand();
            }
        }
    }

    private void acceptInText(char c) {
        if (c == ' ' || c == '\t') {
            showWord();
            blanks.append(' ');
        } else {
            word.append(c);
        }
    }

    private boolean mayBeFence() {
        var start = line.toString().stripLeading();
        return start.startsWith("```") || start.startsWith("~~~");
    }

    /// The first word of a line says what kind of line it is.
    private void understand() {
        var start = line.toString();
        line.setLength(0);
        isUnderstood = true;
        var first = start.strip();
        var indent = " "
                .repeat(Math.min(
                        INDENT_MAX, start.length() - start.stripLeading().length()));
        base = null;
        hang = indent;
        if (BULLET.matcher(first).matches()) {
            begin(indent + (terminal.isColored() && terminal.isUnicode() ? "• " : first + " "));
        } else if (NUMBER.matcher(first).matches()) {
            begin(indent + first + " ");
        } else if (terminal.isColored() && HEADING.matcher(first).matches()) {
            base = Style.BOLD;
        } else if (terminal.isColored() && first.equals(">")) {
            hang = indent + (terminal.isUnicode() ? "│ " : "> ");
            print(null, hang);
        } else {
            print(null, indent);
            for (var c : start.stripLeading().toCharArray()) {
                acceptInText(c);
            }
        }
    }

    private void begin(String mark) {
        print(null, mark);
        hang = " ".repeat(TextWidth.of(mark));
    }

    private void endLine() {
        if (fence != null) {
            endCodeLine();
            return;
        }
        if (!isUnderstood && beginsCode()) {
            return;
        }
        if (!isUnderstood && terminal.isColored() && RULE.matcher(line).matches()) {
            line.setLength(0);
            print(Style.DIM, (terminal.isUnicode() ? "─" : "-").repeat(Math.min(40, terminal.width())));
        }
        if (!isUnderstood && !line.isEmpty()) {
            understand();
        }
        showWord();
        newLine();
    }

    private void newLine() {
        terminal.out().print('\n');
        column = 0;
        isUnderstood = false;
        blanks.setLength(0);
        hang = "";
        base = null;
        inline.reset();
    }

    private boolean beginsCode() {
        var opening = FENCE.matcher(line);
        if (!opening.matches()) {
            return false;
        }
        fence = opening.group(1);
        language = opening.group(2).strip().toLowerCase(Locale.ROOT);
        frame(line.toString(), terminal.isUnicode() ? "╭─ " + language : "-- " + language);
        line.setLength(0);
        return true;
    }

    private void endCodeLine() {
        var text = line.toString();
        line.setLength(0);
        var closing = text.strip();
        var opening = fence;
        if (opening != null && closing.startsWith(opening) && closing.chars().allMatch(c -> c == opening.charAt(0))) {
            fence = null;
            frame(text, terminal.isUnicode() ? "╰─" : "--");
            return;
        }
        terminal.out().print(terminal.isColored() ? CodeColors.paint(text, language, terminal) : text);
        newLine();
    }

    /// The text ended inside its code.
    private void endCode() {
        if (!line.isEmpty()) {
            endCodeLine();
        }
        if (fence != null) {
            frame(fence, terminal.isUnicode() ? "╰─" : "--");
        }
    }

    private void frame(String asWritten, String drawn) {
        terminal.out().print(terminal.isColored() ? terminal.paint(Style.DIM, drawn.strip()) : asWritten);
        newLine();
    }

    private void showWord() {
        if (word.isEmpty()) {
            return;
        }
        var runs = terminal.isColored() ? inline.runs(word.toString()) : List.of(new Inline.Run(null, word.toString()));
        var width = runs.stream().mapToInt(run -> TextWidth.of(run.text())).sum();
        if (column > TextWidth.of(hang) && column + blanks.length() + width > terminal.width()) {
            terminal.out().print('\n');
            column = 0;
            print(null, hang);
        } else {
            print(null, blanks.toString());
        }
        blanks.setLength(0);
        word.setLength(0);
        runs.forEach(run -> print(run.style() == null ? base : run.style(), run.text()));
    }

    /// Prints what is longer than a line on several.
    private void print(@Nullable Style style, String text) {
        var rest = text;
        while (column + TextWidth.of(rest) > terminal.width()) {
            var end = fitting(rest, terminal.width() - column);
            if (end == 0) {
                break;
            }
            terminal.out().print(painted(style, rest.substring(0, end)) + "\n");
            column = 0;
            rest = rest.substring(end);
        }
        terminal.out().print(painted(style, rest));
        column += TextWidth.of(rest);
    }

    private static int fitting(String text, int columns) {
        int end = 0;
        while (end < text.length()) {
            var next = end + Character.charCount(text.codePointAt(end));
            if (TextWidth.of(text.substring(0, next)) > columns) {
                break;
            }
            end = next;
        }
        return end;
    }

    private String painted(@Nullable Style style, String text) {
        return style == null ? text : terminal.paint(style, text);
    }
}

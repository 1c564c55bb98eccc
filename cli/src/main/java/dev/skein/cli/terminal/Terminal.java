package dev.skein.cli.terminal;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What the program writes to and asks: its width, its colours and its character set.
///
/// Output is buffered and flushed by [#flush]. Lines given to it are the program's own words; stored text among
/// them must have passed through [SafeText], or through [Table], which does it. Not safe for use by several
/// threads.
public final class Terminal {

    private static final int WIDTH_DEFAULT = 80;
    private static final int WIDTH_MIN = 20;

    /// Without a terminal nothing is cut.
    private static final int WIDTH_UNBOUNDED = 1_000_000;

    private final Streams streams;
    private final Map<String, String> env;
    private final OutputStream outBytes;
    private final PrintWriter out;
    private final PrintWriter err;
    private boolean colored;
    private @Nullable BufferedReader keyboard;
    private @Nullable Console console;

    public Terminal(Streams streams, Map<String, String> env) {
        this.streams = streams;
        this.env = env;
        outBytes = new BufferedOutputStream(new CheckedOutput(streams.out()), 1 << 15);
        out = new PrintWriter(new OutputStreamWriter(outBytes, StandardCharsets.UTF_8));
        // Nobody could be told that standard error is broken.
        err = new PrintWriter(new OutputStreamWriter(streams.err(), StandardCharsets.UTF_8));
        colored = isInteractive()
                && env.getOrDefault("NO_COLOR", "").isEmpty()
                && !env.getOrDefault("TERM", "").equals("dumb");
    }

    /// Somebody who has taken over keyboard and screen, and knows more about them.
    public interface Console {

        /// Columns of the screen, now.
        int columns();

        /// What was typed after the question.
        ///
        /// @throws dev.skein.failure.Cancelled if the person would not answer
        String answerTo(String question);

        /// The same, and nobody sees what is typed.
        String hiddenAnswerTo(String question);
    }

    /// From now on the console is asked how wide the screen is and what people answer.
    public void attach(Console newConsole) {
        console = newConsole;
    }

    /// The bytes themselves, for whoever speaks a protocol instead of showing something.
    public Streams streams() {
        return streams;
    }

    /// Whether a person can be asked.
    public boolean isInteractive() {
        return streams.attached() == Streams.Attached.TERMINAL;
    }

    /// Whether box characters and the like can be shown.
    public boolean isUnicode() {
        for (var variable : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
            var locale = env.getOrDefault(variable, "").toLowerCase(Locale.ROOT);
            if (!locale.isEmpty()) {
                return locale.contains("utf-8") || locale.contains("utf8");
            }
        }
        return env.containsKey("WT_SESSION");
    }

    /// Columns to fill at most.
    public int width() {
        if (console != null) {
            return Math.max(WIDTH_MIN, console.columns());
        }
        var columns = env.getOrDefault("COLUMNS", "");
        if (columns.matches("[1-9][0-9]{0,4}")) {
            return Math.max(WIDTH_MIN, Integer.parseInt(columns));
        }
        return isInteractive() ? WIDTH_DEFAULT : WIDTH_UNBOUNDED;
    }

    public String ellipsis() {
        return isUnicode() ? "…" : "...";
    }

    public void withoutColor() {
        colored = false;
    }

    public boolean isColored() {
        return colored;
    }

    /// The text in this style, if there are colours here.
    public String paint(Style style, String text) {
        return colored && !text.isEmpty() ? style.around(text) : text;
    }

    /// Safe text as this terminal can show it. In a pipe everything is UTF-8.
    public String shown(String safe) {
        return isInteractive() && !isUnicode() ? SafeText.ascii(safe) : safe;
    }

    /// Stored text on one line, cut to so many columns.
    public String stored(String text, int columns) {
        return TextWidth.cut(shown(SafeText.line(text)), columns, ellipsis());
    }

    /// Stored text on one line.
    public String stored(String text) {
        return shown(SafeText.line(text));
    }

    /// Stored text, line by line.
    public String storedBlock(String text) {
        return shown(SafeText.block(text));
    }

    public void line(String text) {
        out.print(text);
        out.print('\n');
    }

    /// A line for the person, beside the output.
    public void note(String text) {
        flush();
        err.print(text);
        err.print('\n');
        err.flush();
    }

    /// Asks a question that is answered by yes or no. Everything but a clear yes is no.
    public boolean confirms(String question) {
        return answerTo(question + " [y/N] ").strip().toLowerCase(Locale.ROOT).matches("y|yes");
    }

    /// Asks a question that is answered by a line; blank if there is none.
    public String asks(String question) {
        return answerTo(question + "\n> ").strip();
    }

    /// Asks a question that is answered by a letter; the first letter, in lower case, or a blank.
    public char asksLetter(String question) {
        var answer = answerTo(question + " ").strip().toLowerCase(Locale.ROOT);
        return answer.isEmpty() ? ' ' : answer.charAt(0);
    }

    /// Asks for something that nobody is to see; blank if there is no answer.
    public String asksHidden(String question) {
        flush();
        if (console != null) {
            return console.hiddenAnswerTo(question);
        }
        if (streams.keyboard() == null) {
            return answerTo(question);
        }
        var typed = streams.keyboard().readPassword("%s", question);
        return typed == null ? "" : new String(typed);
    }

    private String answerTo(String question) {
        flush();
        if (console != null) {
            return console.answerTo(question);
        }
        err.print(question);
        err.flush();
        try {
            if (keyboard == null) {
                keyboard = new BufferedReader(new InputStreamReader(streams.in(), StandardCharsets.UTF_8));
            }
            return Objects.requireNonNullElse(keyboard.readLine(), "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Whether something is piped in, rather than typed.
    public boolean hasInput() {
        return streams.source().get() == Streams.Attached.PIPE;
    }

    /// All that is piped in, as text, up to so many bytes.
    public String input(int bytesMax) {
        try {
            return new String(streams.in().readNBytes(bytesMax), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// For what writes by itself.
    public PrintWriter out() {
        return out;
    }

    public PrintWriter err() {
        return err;
    }

    /// For bytes that are not text of ours.
    public OutputStream bytes() {
        out.flush();
        return outBytes;
    }

    public void flush() {
        out.flush();
        err.flush();
    }
}

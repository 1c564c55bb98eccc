package dev.skein.cli.repl;

import dev.skein.cli.terminal.Terminal;
import dev.skein.failure.Cancelled;
import dev.skein.failure.StorageFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.jline.reader.Completer;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.history.DefaultHistory;
import org.jline.terminal.Terminal.Signal;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;
import org.jline.utils.Status;
import org.jspecify.annotations.Nullable;

/// Lines that a person types and edits, with completion and a history that outlives the program.
///
/// One thread reads; Ctrl-C may come at any time.
final class Keyboard implements Terminal.Console, Turn.Stops {

    private static final int HISTORY_LINES = 5_000;
    private static final int ROWS_FOR_STATUS = 8;
    private static final char HIDDEN = '\0';

    /// Whoever puts a secret behind the command in spite of everything should not find it again.
    private static final String NOT_KEPT = ".vault * * *";

    private final org.jline.terminal.Terminal screen;
    private final Reader lines;
    private final LineReader answers;
    private final Path historyFile;
    private final boolean hasStatus;

    /// What came of waiting for a line.
    sealed interface Typed {
        record Line(String text) implements Typed {}

        /// Ctrl-C. `wasEmpty` if nothing had been typed yet.
        record Interrupted(boolean wasEmpty) implements Typed {}

        /// Ctrl-D, or nobody sits there any more.
        record End() implements Typed {}
    }

    /// `styled` if the terminal may be told more than words: then there is a status line, where there is room for it.
    Keyboard(org.jline.terminal.Terminal screen, Path history, Completer completer, boolean styled) {
        this.screen = screen;
        this.historyFile = history;
        this.hasStatus = styled && screen.getHeight() >= ROWS_FOR_STATUS;
        keepPrivate(history);
        lines = new Reader(
                screen,
                Map.of(
                        LineReader.HISTORY_FILE, history,
                        LineReader.HISTORY_SIZE, HISTORY_LINES,
                        LineReader.HISTORY_FILE_SIZE, HISTORY_LINES,
                        LineReader.HISTORY_IGNORE, NOT_KEPT,
                        LineReader.SECONDARY_PROMPT_PATTERN, Reader.INDENT));
        lines.setParser(new LineSyntax());
        lines.setCompleter(completer);
        lines.option(LineReader.Option.DISABLE_EVENT_EXPANSION, true);
        lines.option(LineReader.Option.HISTORY_IGNORE_SPACE, true);
        lines.option(LineReader.Option.HISTORY_REDUCE_BLANKS, false);
        lines.option(LineReader.Option.HISTORY_TIMESTAMPED, false);
        lines.option(LineReader.Option.INSERT_TAB, false);
        fresh();
        answers = LineReaderBuilder.builder()
                .terminal(screen)
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                .variable(LineReader.DISABLE_HISTORY, true)
                .variable(LineReader.DISABLE_COMPLETION, true)
                .build();
    }

    /// From now on Up goes through these lines, and those that are typed next.
    void recall(List<String> said) {
        lines.setVariable(LineReader.HISTORY_FILE, null);
        var history = fresh();
        said.forEach(history::add);
    }

    /// Up goes through what was typed in no session.
    void recallHistory() {
        lines.setVariable(LineReader.HISTORY_FILE, historyFile);
        fresh();
    }

    private DefaultHistory fresh() {
        var history = new DefaultHistory();
        lines.setHistory(history);
        history.attach(lines);
        return history;
    }

    boolean hasStatus() {
        return hasStatus;
    }

    /// While a line is typed, this stands at the bottom; then the whole screen is for what comes.
    private Scope shown(String status) {
        if (!hasStatus) {
            return () -> {};
        }
        var bar = Status.getStatus(screen);
        bar.update(List.of(new AttributedString(status, AttributedStyle.DEFAULT.faint())));
        return () -> bar.update(List.of());
    }

    /// Others on this machine must not read what was typed.
    private static void keepPrivate(Path history) {
        try {
            Files.createDirectories(history.toAbsolutePath().getParent());
            if (!Files.exists(history)) {
                Files.createFile(
                        history, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            }
        } catch (IOException e) {
            throw StorageFailed.io("make the history " + history, e);
        } catch (UnsupportedOperationException _) {
            // A file system without permissions; home is private where that can be had.
        }
    }

    /// Waits for a line. `aside` stands at the right, where there is room; `status` at the bottom, if there is one.
    Typed read(String prompt, String aside, String status) {
        try (var _ = shown(status)) {
            return new Typed.Line(lines.readLine(literal(prompt), literal(aside), (Character) null, null));
        } catch (UserInterruptException e) {
            return new Typed.Interrupted(e.getPartialLine().isEmpty());
        } catch (EndOfFileException _) {
            return new Typed.End();
        }
    }

    @Override
    public int columns() {
        var columns = screen.getWidth();
        return columns > 0 ? columns : 80;
    }

    @Override
    public String hiddenAnswerTo(String question) {
        return answerTo(question, HIDDEN);
    }

    @Override
    public String answerTo(String question) {
        return answerTo(question, null);
    }

    private String answerTo(String question, @Nullable Character mask) {
        var lastLine = question.lastIndexOf('\n') + 1;
        screen.writer().print(question.substring(0, lastLine));
        screen.writer().flush();
        try {
            return answers.readLine(literal(question.substring(lastLine)), mask);
        } catch (UserInterruptException | EndOfFileException _) {
            throw new Cancelled("the question was not answered");
        }
    }

    /// Until the scope is closed, Ctrl-C does this and nothing else.
    @Override
    public Scope onInterrupt(Runnable action) {
        var before = screen.handle(Signal.INT, _ -> action.run());
        return () -> screen.handle(Signal.INT, before);
    }

    /// Something that ends.
    interface Scope extends AutoCloseable {
        @Override
        void close();
    }

    /// The reader takes percent signs in prompts for patterns of its own.
    private static String literal(String prompt) {
        return prompt.replace("%", "%%");
    }
}

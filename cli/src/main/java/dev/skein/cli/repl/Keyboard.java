package dev.skein.cli.repl;

import dev.skein.cli.terminal.Terminal;
import dev.skein.failure.Cancelled;
import dev.skein.failure.StorageFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jline.reader.Completer;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal.Signal;

/// Lines that a person types and edits, with completion and a history that outlives the program.
///
/// One thread reads; Ctrl-C may come at any time.
final class Keyboard implements Terminal.Console {

    private static final int HISTORY_LINES = 5_000;

    private final org.jline.terminal.Terminal screen;
    private final LineReader lines;
    private final LineReader answers;

    /// What came of waiting for a line.
    sealed interface Typed {
        record Line(String text) implements Typed {}

        /// Ctrl-C. `wasEmpty` if nothing had been typed yet.
        record Interrupted(boolean wasEmpty) implements Typed {}

        /// Ctrl-D, or nobody sits there any more.
        record End() implements Typed {}
    }

    Keyboard(org.jline.terminal.Terminal screen, Path history, Completer completer) {
        this.screen = screen;
        keepPrivate(history);
        lines = LineReaderBuilder.builder()
                .terminal(screen)
                .appName("skein")
                .parser(new LineSyntax())
                .completer(completer)
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                .option(LineReader.Option.HISTORY_IGNORE_SPACE, true)
                .option(LineReader.Option.HISTORY_REDUCE_BLANKS, false)
                .option(LineReader.Option.HISTORY_TIMESTAMPED, false)
                .option(LineReader.Option.INSERT_TAB, false)
                .variable(LineReader.HISTORY_FILE, history)
                .variable(LineReader.HISTORY_SIZE, HISTORY_LINES)
                .variable(LineReader.HISTORY_FILE_SIZE, HISTORY_LINES)
                .variable(LineReader.SECONDARY_PROMPT_PATTERN, "  ")
                .build();
        answers = LineReaderBuilder.builder()
                .terminal(screen)
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                .variable(LineReader.DISABLE_HISTORY, true)
                .variable(LineReader.DISABLE_COMPLETION, true)
                .build();
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

    /// Waits for a line. `aside` stands at the right, where there is room.
    Typed read(String prompt, String aside) {
        try {
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
    public String answerTo(String question) {
        var lastLine = question.lastIndexOf('\n') + 1;
        screen.writer().print(question.substring(0, lastLine));
        screen.writer().flush();
        try {
            return answers.readLine(literal(question.substring(lastLine)));
        } catch (UserInterruptException | EndOfFileException _) {
            throw new Cancelled("the question was not answered");
        }
    }

    /// Until the scope is closed, Ctrl-C does this and nothing else.
    Scope onInterrupt(Runnable action) {
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

package dev.skein.cli.program;

import dev.skein.cli.terminal.OutputClosed;
import dev.skein.cli.terminal.SafeText;
import dev.skein.cli.terminal.Style;
import dev.skein.cli.terminal.Terminal;
import dev.skein.failure.SkeinException;
import dev.skein.failure.StorageFailed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;

/// Turns what went wrong into one sentence on standard error and an exit code.
public final class Failures {

    /// The code of a defect.
    public static final String UNEXPECTED = "internal.unexpected";

    private final Terminal terminal;
    private final Wording wording;
    private final GlobalOptions options;

    /// How failures are told.
    public enum Wording {
        SENTENCE,
        JSON
    }

    public Failures(Terminal terminal, Wording wording, GlobalOptions options) {
        this.terminal = terminal;
        this.wording = wording;
        this.options = options;
    }

    /// Tells the failure and returns the exit code. Output that nobody reads any more is no failure.
    public ExitCode report(Throwable thrown) {
        return switch (thrown) {
            case OutputClosed _ -> ExitCode.OK;
            case SkeinException failure -> {
                tell(failure.code(), message(failure), failure);
                yield ExitCode.of(failure.kind());
            }
            case CommandFailure failure -> {
                tell(failure.code(), message(failure), failure);
                yield ExitCode.of(failure.kind());
            }
            case UncheckedIOException failure ->
                report(StorageFailed.io("read or write", Objects.requireNonNullElse(failure.getCause(), failure)));
            case IOException failure -> report(StorageFailed.io("read or write", failure));
            default -> {
                tell(
                        UNEXPECTED,
                        "this should not have happened (" + thrown
                                + "); run it again with --debug and report what it says",
                        thrown);
                yield ExitCode.UNEXPECTED;
            }
        };
    }

    private void tell(String code, String message, Throwable thrown) {
        if (wording == Wording.JSON) {
            var error = Map.of("error", new Told(code, message));
            terminal.note(JsonText.compact(error));
        } else {
            terminal.note(terminal.paint(Style.RED, "skein:") + " " + terminal.stored(message));
        }
        if (options.debug()) {
            terminal.note(terminal.shown(SafeText.block(trace(thrown))));
        }
    }

    private static String trace(Throwable thrown) {
        var trace = new StringBuilder();
        for (var cause = thrown; cause != null; cause = cause.getCause()) {
            trace.append(cause).append('\n');
            for (var call : cause.getStackTrace()) {
                trace.append("\tat ").append(call).append('\n');
            }
        }
        return trace.toString();
    }

    private record Told(String code, String message) {}

    private static String message(Throwable thrown) {
        return Objects.requireNonNullElse(thrown.getMessage(), thrown.getClass().getSimpleName());
    }
}

package dev.skein.failure;

import org.jspecify.annotations.Nullable;

/// A file of another tool is not what it should be. Nothing was imported from it, and it was not changed.
public final class UnreadableImport extends SkeinException {

    private static final int LENGTH_MAX = 300;

    /// `source` names the file, `problem` completes the sentence "it …".
    public UnreadableImport(String source, String problem) {
        this(source, problem, null);
    }

    public UnreadableImport(String source, String problem, @Nullable Throwable cause) {
        super(
                FailureKind.INVALID_REQUEST,
                "import.unreadable",
                "cannot import '%s': it %s; mend the file and import it again"
                        .formatted(printable(source), printable(problem)),
                cause);
    }

    /// The problem was met on this line, counted from 1.
    public static UnreadableImport atLine(String source, int line, String problem, @Nullable Throwable cause) {
        return new UnreadableImport(source, problem + " (line " + line + ")", cause);
    }

    private static String printable(String text) {
        var shown = text.length() > LENGTH_MAX ? "..." + text.substring(text.length() - LENGTH_MAX) : text;
        return shown.codePoints()
                .map(c -> Character.isISOControl(c) ? 0xFFFD : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}

package dev.skein.cli.terminal;

import java.util.regex.Pattern;

/// Text that cannot command a terminal: escape sequences, control characters and marks that reorder what a
/// person sees are shown as a dot.
public final class SafeText {

    /// What stands where something was taken away.
    private static final String DOT = "·";

    /// Whole sequences first, then single characters: C0, DEL, C1, line separators, bidirectional overrides and
    /// isolates, unpaired surrogates. A sequence that never ends costs only its first character, so that it
    /// cannot hide the text after it.
    private static final Pattern UNSAFE = Pattern.compile("(?:\\x1B[\\]P^_X]|[\\x9D\\x90\\x9E\\x9F\\x98])"
            + "[^\\x07\\x1B\\x9C\\n]*+(?:\\x07|\\x1B\\\\|\\x9C)"
            + "|(?:\\x1B\\[|\\x9B)[0-?]*+[ -/]*+[@-~]"
            + "|[\\x00-\\x08\\x0B-\\x1F\\x7F-\\x9F\\u2028\\u2029\\u202A-\\u202E\\u2066-\\u2069]"
            + "|[\\x{D800}-\\x{DFFF}]");

    private static final Pattern CARRIAGE_RETURN = Pattern.compile("\\r\\n?");
    private static final Pattern SPACE = Pattern.compile("[\\s\\u00A0]+");
    private static final Pattern NOT_ASCII = Pattern.compile("[^\\x00-\\x7F]");

    private SafeText() {}

    /// The text with its lines and tabs as they are.
    public static String block(String text) {
        return UNSAFE.matcher(CARRIAGE_RETURN.matcher(text).replaceAll("\n")).replaceAll(DOT);
    }

    /// The text on one line, each run of white space a single blank.
    public static String line(String text) {
        return isPlain(text) ? text : lineOf(text);
    }

    private static String lineOf(String text) {
        return SPACE.matcher(block(text)).replaceAll(" ").strip();
    }

    /// Most names and numbers: nothing but single blanks between ASCII characters that can be seen.
    private static boolean isPlain(String text) {
        var before = ' ';
        for (int i = 0; i < text.length(); i++) {
            var c = text.charAt(i);
            if (c < ' ' || c > '~' || (c == ' ' && before == ' ')) {
                return false;
            }
            before = c;
        }
        return before != ' ' || text.isEmpty();
    }

    /// The text with every character that is not ASCII as a question mark: on a terminal that does not read
    /// UTF-8, the bytes of such a character could be control characters of their own.
    static String ascii(String text) {
        return NOT_ASCII.matcher(text.replace(DOT, ".")).replaceAll("?");
    }
}

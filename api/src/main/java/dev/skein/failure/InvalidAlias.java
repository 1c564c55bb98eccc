package dev.skein.failure;

/// A text cannot be a session's name.
public final class InvalidAlias extends SkeinException {

    /// `why` completes the sentence "the name … ".
    public InvalidAlias(String text, String why) {
        super(FailureKind.INVALID_REQUEST, "session.invalid_alias", "the name '" + printable(text) + "' " + why, null);
    }

    private static String printable(String text) {
        var shown = text.length() > 80 ? text.substring(0, 77) + "..." : text;
        return shown.codePoints()
                .map(c -> unprintable(c) ? 0xFFFD : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /// Controls, halves of characters, and marks that reorder a line in a terminal.
    private static boolean unprintable(int codePoint) {
        var type = Character.getType(codePoint);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.SURROGATE
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }
}

package dev.skein.tools.mcp.wire;

/// Text of strangers with nothing hidden in it: characters that nobody sees, or that turn others around, are written as
/// their number, `<U+200B>`. Lines and tabs stay.
public final class VisibleText {

    private VisibleText() {}

    public static String of(String text) {
        if (text.codePoints().allMatch(VisibleText::isVisible)) {
            return text;
        }
        var visible = new StringBuilder();
        text.codePoints().forEach(point -> {
            if (isVisible(point)) {
                visible.appendCodePoint(point);
            } else {
                visible.append("<U+%04X>".formatted(point));
            }
        });
        return visible.toString();
    }

    public static boolean isVisible(String text) {
        return text.codePoints().allMatch(VisibleText::isVisible);
    }

    /// The first so many characters, visible.
    public static String cut(String text, int max) {
        return of(text.length() <= max ? text : text.substring(0, max) + "…");
    }

    private static boolean isVisible(int point) {
        if (point == '\n' || point == '\t') {
            return true;
        }
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            // Fillers that look like nothing, and selectors that can carry hidden bytes.
            default ->
                point != 0x115F
                        && point != 0x1160
                        && point != 0x3164
                        && point != 0xFFA0
                        && point != 0x2800
                        && !(point >= 0xFE00 && point <= 0xFE0E)
                        && !(point >= 0xE0100 && point <= 0xE01EF);
        };
    }
}

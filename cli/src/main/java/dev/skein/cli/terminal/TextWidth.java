package dev.skein.cli.terminal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// How many columns of a terminal a text takes.
///
/// East Asian wide characters and emoji take two, marks that sit on another character none. Joined emoji count
/// as their parts: some terminals join them and some do not, and too narrow a column is the lesser harm.
public final class TextWidth {

    /// Pairs of first and last code point that are two columns wide, in order.
    private static final int[] WIDE = {
        0x1100, 0x115F, 0x231A, 0x231B, 0x2329, 0x232A, 0x23E9, 0x23EC, 0x23F0, 0x23F0, 0x23F3, 0x23F3,
        0x25FD, 0x25FE, 0x2614, 0x2615, 0x2648, 0x2653, 0x267F, 0x267F, 0x2693, 0x2693, 0x26A1, 0x26A1,
        0x26AA, 0x26AB, 0x26BD, 0x26BE, 0x26C4, 0x26C5, 0x26CE, 0x26CE, 0x26D4, 0x26D4, 0x26EA, 0x26EA,
        0x26F2, 0x26F3, 0x26F5, 0x26F5, 0x26FA, 0x26FA, 0x26FD, 0x26FD, 0x2705, 0x2705, 0x270A, 0x270B,
        0x2728, 0x2728, 0x274C, 0x274C, 0x274E, 0x274E, 0x2753, 0x2755, 0x2757, 0x2757, 0x2795, 0x2797,
        0x27B0, 0x27B0, 0x27BF, 0x27BF, 0x2B1B, 0x2B1C, 0x2B50, 0x2B50, 0x2B55, 0x2B55, 0x2E80, 0x303E,
        0x3041, 0x3247, 0x3250, 0x4DBF, 0x4E00, 0xA4C6, 0xA960, 0xA97C, 0xAC00, 0xD7A3, 0xF900, 0xFAFF,
        0xFE10, 0xFE19, 0xFE30, 0xFE6B, 0xFF01, 0xFF60, 0xFFE0, 0xFFE6, 0x16FE0, 0x18CFF, 0x18D00, 0x18DFF,
        0x1AFF0, 0x1B2FF, 0x1D300, 0x1D376, 0x1F004, 0x1F004, 0x1F0CF, 0x1F0CF, 0x1F18E, 0x1F18E, 0x1F191, 0x1F19A,
        0x1F1E6, 0x1F320, 0x1F32D, 0x1F335, 0x1F337, 0x1F37C, 0x1F37E, 0x1F393, 0x1F3A0, 0x1F3CA, 0x1F3CF, 0x1F3D3,
        0x1F3E0, 0x1F3F0, 0x1F3F4, 0x1F3F4, 0x1F3F8, 0x1F43E, 0x1F440, 0x1F440, 0x1F442, 0x1F4FC, 0x1F4FF, 0x1F53D,
        0x1F54B, 0x1F54E, 0x1F550, 0x1F567, 0x1F57A, 0x1F57A, 0x1F595, 0x1F596, 0x1F5A4, 0x1F5A4, 0x1F5FB, 0x1F64F,
        0x1F680, 0x1F6C5, 0x1F6CC, 0x1F6CC, 0x1F6D0, 0x1F6D2, 0x1F6D5, 0x1F6D7, 0x1F6DC, 0x1F6DF, 0x1F6EB, 0x1F6EC,
        0x1F6F4, 0x1F6FC, 0x1F7E0, 0x1F7EB, 0x1F7F0, 0x1F7F0, 0x1F90C, 0x1F93A, 0x1F93C, 0x1F945, 0x1F947, 0x1F9FF,
        0x1FA70, 0x1FAFF, 0x20000, 0x2FFFD, 0x30000, 0x3FFFD
    };

    private static final int EMOJI_STYLE = 0xFE0F;

    private TextWidth() {}

    public static int of(String text) {
        var columns = 0;
        for (int i = 0; i < text.length(); ) {
            var codePoint = text.codePointAt(i);
            columns += of(codePoint);
            i += Character.charCount(codePoint);
        }
        return columns;
    }

    /// As much of the text as fits into so many columns, with `ellipsis` at the end if something is missing.
    public static String cut(String text, int columns, String ellipsis) {
        if (text.length() <= columns / 2 || of(text) <= columns) {
            return text;
        }
        var room = columns - of(ellipsis);
        if (room < 0) {
            return "";
        }
        var end = 0;
        for (int used = 0; end < text.length(); ) {
            var codePoint = text.codePointAt(end);
            used += of(codePoint);
            if (used > room) {
                break;
            }
            end += Character.charCount(codePoint);
        }
        return text.substring(0, end).stripTrailing() + ellipsis;
    }

    /// The text in lines of at most so many columns, broken between words. A word that is longer has its own line.
    public static List<String> wrap(String text, int columns) {
        var lines = new ArrayList<String>();
        var line = new StringBuilder();
        for (var word : text.split(" ")) {
            if (!line.isEmpty() && of(line.toString()) + 1 + of(word) > columns) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    /// The blanks missing to fill so many columns.
    static String padding(String text, int columns) {
        return " ".repeat(Math.max(0, columns - of(text)));
    }

    private static int of(int codePoint) {
        if (codePoint < 0x300) {
            return Character.isISOControl(codePoint) ? 0 : 1;
        }
        if (codePoint == EMOJI_STYLE) {
            return 1; // It widens the character before it.
        }
        return switch (Character.getType(codePoint)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
            default -> isVowelOrFinalJamo(codePoint) ? 0 : isWide(codePoint) ? 2 : 1;
        };
    }

    /// Korean letters that join the one before them.
    private static boolean isVowelOrFinalJamo(int codePoint) {
        return codePoint >= 0x1160 && codePoint <= 0x11FF;
    }

    private static boolean isWide(int codePoint) {
        var found = Arrays.binarySearch(WIDE, codePoint);
        // Between the two ends of a pair, the place where it would be inserted is odd.
        return found >= 0 || (-(found + 1) & 1) == 1;
    }
}

package dev.skein.tools.search;

import dev.skein.tools.call.Refused;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// Turns a file pattern into a regular expression for paths with `/`: `*` and `?` stay within one name, `**` does not,
/// `{a,b}` is one of several, `[abc]` one character. A pattern without `/` matches names in every directory.
public final class Glob {

    private static final int LENGTH_MAX = 1000;

    private Glob() {}

    /// The expression for a pattern.
    ///
    /// @throws Refused if it is no file pattern; says why
    public static Pattern compile(String glob) {
        if (glob.isBlank() || glob.length() > LENGTH_MAX) {
            throw new Refused("the pattern is empty or longer than " + LENGTH_MAX + " characters");
        }
        var regex = new StringBuilder("^");
        if (!glob.contains("/")) {
            regex.append("(?:.*/)?");
        }
        int braces = 0;
        for (int i = 0; i < glob.length(); i++) {
            char c = glob.charAt(i);
            switch (c) {
                case '*' -> {
                    if (glob.startsWith("**/", i)) {
                        regex.append("(?:.*/)?");
                        i += 2;
                    } else if (glob.startsWith("**", i)) {
                        regex.append(".*");
                        i++;
                    } else {
                        regex.append("[^/]*");
                    }
                }
                case '?' -> regex.append("[^/]");
                case '{' -> {
                    braces++;
                    regex.append("(?:");
                }
                case '}' -> {
                    braces--;
                    regex.append(')');
                }
                case ',' -> regex.append(braces > 0 ? "|" : ",");
                case '[' -> i = characters(glob, i, regex);
                default -> regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        try {
            return Pattern.compile(regex.append('$').toString(), Pattern.DOTALL);
        } catch (PatternSyntaxException _) {
            throw new Refused("'" + glob + "' is not a file pattern; close what it opens, as in src/**/*.{java,md}");
        }
    }

    /// Appends a set of characters that begins at `open`; returns where it ends.
    private static int characters(String glob, int open, StringBuilder regex) {
        int close = glob.indexOf(']', open + 2);
        if (close < 0) {
            throw new Refused("'" + glob + "' has a [ without a ]; close it");
        }
        var set = glob.substring(open + 1, close);
        var negated = set.startsWith("!") || set.startsWith("^");
        var plain = (negated ? set.substring(1) : set)
                .replace("\\", "\\\\")
                .replace("[", "\\[")
                .replace("&", "\\&")
                .replace("^", "\\^");
        regex.append(negated ? "[^/" : "[").append(plain).append(']');
        return close;
    }
}

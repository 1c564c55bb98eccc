package dev.skein.cli.markdown;

import dev.skein.cli.terminal.Style;
import dev.skein.cli.terminal.Terminal;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Colours a line of code: comments, strings, numbers, and words that most languages share. Looks at one line at a
/// time.
final class CodeColors {

    private static final String STRING = "(?<string>\"(?:\\\\.|[^\"\\\\])*+\"|'(?:\\\\.|[^'\\\\])*+')";
    private static final String REST = "|(?<number>\\b\\d[\\w.]*+)|(?<word>[A-Za-z_]\\w*+)";
    private static final Pattern SLASHES = Pattern.compile("(?<comment>//.*|/\\*.*?(?:\\*/|$))|" + STRING + REST);
    private static final Pattern HASHES = Pattern.compile("(?<comment>(?<![\\w$&{])#.*)|" + STRING + REST);
    private static final Pattern DASHES = Pattern.compile("(?<comment>--.*)|" + STRING + REST);

    private static final Set<String> WITH_HASHES = Set.of(
            "python",
            "py",
            "sh",
            "bash",
            "zsh",
            "shell",
            "console",
            "ruby",
            "rb",
            "yaml",
            "yml",
            "toml",
            "perl",
            "r",
            "make",
            "makefile",
            "dockerfile",
            "elixir");
    private static final Set<String> WITH_DASHES = Set.of("sql", "haskell", "hs", "lua", "elm", "ada");
    private static final Set<String> WITHOUT_WORDS = Set.of("", "text", "txt", "console", "markdown", "md", "diff");

    private static final Set<String> KEYWORDS = Set.copyOf(List.of(
            ("abstract and as assert async await begin bool boolean break byte case catch char class const continue def"
                            + " default defer del do double elif else end enum except export extends false final"
                            + " finally float fn for from func function global go if impl implements import in"
                            + " instanceof int interface is lambda let long loop match mod module mut namespace new"
                            + " nil none None not"
                            + " null operator or package pass private protected pub public raise record return sealed"
                            + " select self short static struct super switch this throw throws trait true True False"
                            + " try type typeof union unless until use using val var void where when while with yield"
                            + " SELECT FROM WHERE INSERT UPDATE DELETE CREATE TABLE JOIN ON AND OR NOT NULL INTO VALUES"
                            + " GROUP ORDER BY LIMIT AS fi then done esac echo")
                    .split(" ")));

    private CodeColors() {}

    static String paint(String line, String language, Terminal terminal) {
        var pattern = WITH_HASHES.contains(language) ? HASHES : WITH_DASHES.contains(language) ? DASHES : SLASHES;
        if (WITHOUT_WORDS.contains(language)) {
            return line;
        }
        return pattern.matcher(line).replaceAll(match -> {
            var text = match.group();
            var style = match.group("comment") != null
                    ? Style.DIM
                    : match.group("string") != null
                            ? Style.GREEN
                            : match.group("number") != null
                                    ? Style.YELLOW
                                    : KEYWORDS.contains(text) ? Style.MAGENTA : null;
            return Matcher.quoteReplacement(style == null ? text : terminal.paint(style, text));
        });
    }
}

package dev.skein.exchange.export;

import java.util.regex.Pattern;

/// Puts text that anybody may have written into a Markdown page, so that it stays within its place.
///
/// Words of a message are Markdown themselves and are shown as such, quoted line by line: a quote contains
/// whatever is inside it, headings and unclosed code included. HTML could still escape from a quote, so it
/// is shown as text. To know where `<` is code and needs no escaping without a full parser, code is only
/// what begins and ends unmistakably: a fence at the start of a line, or a pair of equal backtick runs on
/// one line that has no `|` (a table would split it). All other backticks and tildes lose their meaning.
///
/// Characters that steer a terminal are left out of everything.
final class MarkdownText {

    private static final Pattern LINE_END = Pattern.compile("\\r\\n?");
    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x08\\x0B-\\x1F\\x7F-\\x9F]");
    private static final Pattern ENTITY = Pattern.compile("&(?=#?[0-9A-Za-z]+;)");
    private static final Pattern FENCE = Pattern.compile("(?<run>`{3,}|~{3,})[^`~]*");
    private static final Pattern CLOSING_FENCE = Pattern.compile(" {0,3}(?<run>`{3,}|~{3,})[ \\t]*");
    private static final Pattern TILDES = Pattern.compile("~{3,}");
    private static final Pattern SPECIAL = Pattern.compile("[\\\\`*_\\[\\]#|~>]");

    private MarkdownText() {}

    /// Without characters that steer a terminal; line ends are `\n`.
    static String printable(String text) {
        return CONTROL.matcher(LINE_END.matcher(text).replaceAll("\n")).replaceAll("");
    }

    /// On one line, each character standing for itself.
    static String inline(String text) {
        var line = printable(text).replace('\n', ' ').strip();
        return html(SPECIAL.matcher(line).replaceAll("\\\\$0"));
    }

    /// For the inside of an HTML element.
    static String html(String text) {
        return ENTITY.matcher(printable(text)).replaceAll("&amp;").replace("<", "&lt;");
    }

    /// On one line, as code.
    static String code(String text) {
        var line = printable(text).replace('\n', ' ').strip();
        var ticks = "`".repeat(longestRun(line) + 1);
        return line.isEmpty() ? "" : ticks + " " + line + " " + ticks;
    }

    /// A block of code, word for word. The fence is longer than any run of backticks inside.
    static String fenced(String language, String text) {
        var content = printable(text);
        var fence = "`".repeat(Math.max(3, longestRun(content) + 1));
        return fence + language + "\n" + content + (content.endsWith("\n") || content.isEmpty() ? "" : "\n") + fence
                + "\n";
    }

    /// Markdown of others, as a quote.
    static String quoted(String text) {
        var quote = new StringBuilder(text.length() + 64);
        var fence = "";
        for (var line : printable(text).split("\n", -1)) {
            quote.append(line.isEmpty() ? ">" : "> ");
            var opening = FENCE.matcher(line);
            if (!fence.isEmpty()) {
                quote.append(line);
                fence = closes(line, fence) ? "" : fence;
            } else if (opening.matches()) {
                quote.append(html(line));
                fence = opening.group("run");
            } else {
                escape(line, quote);
            }
            quote.append('\n');
        }
        return quote.toString();
    }

    private static boolean closes(String line, String fence) {
        var closing = CLOSING_FENCE.matcher(line);
        return closing.matches()
                && closing.group("run").length() >= fence.length()
                && closing.group("run").charAt(0) == fence.charAt(0);
    }

    /// A line outside of fences: code stays, other `<` become text.
    private static void escape(String line, StringBuilder to) {
        var table = line.indexOf('|') >= 0;
        var text = 0;
        for (int i = 0; i < line.length(); i++) {
            if (line.charAt(i) == '\\') {
                i++;
            } else if (line.charAt(i) == '`') {
                var end = runEnd(line, i);
                var close = table ? -1 : closing(line, end, end - i);
                to.append(words(line, text, i));
                if (close < 0) {
                    to.append("\\`".repeat(end - i));
                    text = end;
                } else {
                    to.append(line, i, close);
                    text = close;
                }
                i = text - 1;
            }
        }
        to.append(words(line, text, line.length()));
    }

    private static String words(String line, int from, int to) {
        var words = html(line.substring(from, to));
        return TILDES.matcher(words).replaceAll(run -> "\\\\~".repeat(run.end() - run.start()));
    }

    /// Where the next run of exactly so many backticks ends, or -1.
    private static int closing(String line, int from, int length) {
        for (int i = line.indexOf('`', from); i >= 0; i = line.indexOf('`', i)) {
            var end = runEnd(line, i);
            if (end - i == length) {
                return end;
            }
            i = end;
        }
        return -1;
    }

    private static int runEnd(String line, int from) {
        var end = from;
        while (end < line.length() && line.charAt(end) == '`') {
            end++;
        }
        return end;
    }

    private static int longestRun(String text) {
        var longest = 0;
        for (int i = text.indexOf('`'); i >= 0; i = text.indexOf('`', i)) {
            var end = runEnd(text, i);
            longest = Math.max(longest, end - i);
            i = end;
        }
        return longest;
    }
}

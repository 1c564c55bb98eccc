package dev.skein.provider.offline;

import dev.skein.wire.Json;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/// What a prompt in plain words asks a tool for: `list the files in src`, `read README.md`, `search for word in src`.
///
/// The first phrase that fits and whose tool is offered counts. The names of tools and arguments are those of the
/// built-in tools.
final class PlainWords {

    /// A call as it was understood.
    record Wish(String tool, ObjectNode arguments) {}

    private record Phrase(String tool, Pattern pattern, Function<MatchResult, ObjectNode> arguments) {}

    private static final String PLEASE = "^\\s*(?:(?:please|now|can you|could you)\\s+)*";
    private static final String END = "\\s*(?:please)?[\\s.?!]*$";
    private static final String WORD = "[`'\"]?([^\\s`'\"]+?)[`'\"]?";
    /// A path that shows that it is one.
    private static final String PATH = "[`'\"]?([^\\s`'\"]*[./]\\w[^\\s`'\"]*?)[`'\"]?";

    /// What is taken for a command without being marked as one.
    private static final String COMMAND =
            "(?:ls|pwd|cat|echo|date|git|make|mvn|npm|java|python3?|wc|head|tail|du|df|ps|uname|whoami|\\S*/\\S+)";

    private static final String FILES =
            "(?:all\\s+)?(?:the\\s+)?(?:files(?:\\s+and\\s+(?:folders|directories))?|contents?)";
    private static final String IN = "(?:in|inside|under|within|of|from)(?:\\s+the)?(?:\\s+(?:folder|directory|file))?";
    private static final String HERE = "(?:here|there|in (?:this|the current) (?:folder|directory)|around)";

    private static final List<Phrase> PHRASES = List.of(
            phrase("shell", "(?:run|execute)\\b[^`]*`([^`]+)`.*", match -> object("command", match.group(1))),
            phrase(
                    "shell",
                    "(?:run|execute)\\s+(" + COMMAND + "(?:\\s.*)?)$",
                    match -> object("command", match.group(1).strip())),
            phrase(
                    "fetch",
                    "(?:fetch|get|download|open|load|read|visit)\\s+.*?(https?://[^\\s`'\"<>]+?)" + END,
                    match -> object("url", match.group(1))),
            phrase(
                    "write",
                    "(?:write|save|put)\\s+(.+?)\\s+(?:to|into|in)\\s+(?:the\\s+|a\\s+)?(?:file\\s+)?(?:called\\s+)?"
                            + WORD + END,
                    match -> object("path", match.group(2)).put("content", unquoted(match.group(1)))),
            phrase(
                    "write",
                    "(?:create|make)\\s+(?:the\\s+|a\\s+)?(?:file\\s+)?(?:called\\s+|named\\s+)?" + WORD
                            + "\\s+(?:with|containing)\\s+(?:the\\s+(?:text|content)\\s+)?(.+)$",
                    match -> object("path", match.group(1)).put("content", unquoted(match.group(2)))),
            phrase(
                    "glob",
                    "(?:find|list|show|glob|which|search)\\b.*?[`'\"]?([^\\s`'\"]*\\*[^\\s`'\"]*?)[`'\"]?"
                            + "(?:\\s+files?)?" + END,
                    match -> object("pattern", match.group(1))),
            phrase(
                    "grep",
                    "(?:search|grep|look)\\s+" + IN + "\\s+" + WORD + "\\s+for\\s+(.+?)" + END,
                    match -> object("pattern", unquoted(match.group(2))).put("path", match.group(1))),
            phrase(
                    "grep",
                    "(?:search\\s+for|search|grep\\s+for|grep|look\\s+for|find)\\s+(?!(?i:" + FILES + ")\\b)(.+?)"
                            + "\\s+(?:in|inside|under|within)\\s+(?:the\\s+)?(?:folder\\s+|directory\\s+|file\\s+)?"
                            + WORD + END,
                    match -> object("pattern", unquoted(match.group(1))).put("path", placed(match.group(2)))),
            phrase(
                    "grep",
                    "(?:search\\s+for|grep\\s+for|grep|look\\s+for)\\s+(.+?)(?:\\s+" + HERE + ")?" + END,
                    match -> object("pattern", unquoted(match.group(1))).put("path", ".")),
            phrase(
                    "list",
                    "(?:list|show|give)\\s+(?:me\\s+)?" + FILES + "(?:\\s+" + HERE + ")?" + END,
                    _ -> object("path", ".")),
            phrase(
                    "list",
                    "(?:list|show|give)\\s+(?:me\\s+)?(?:" + FILES + "\\s+)?" + IN + "\\s+" + WORD + END,
                    match -> object("path", placed(match.group(1)))),
            phrase(
                    "list",
                    "(?:what|which)\\s+files\\s+(?:are|do\\s+(?:you|we)\\s+have)(?:\\s+there)?(?:\\s+" + HERE + ")?"
                            + END,
                    _ -> object("path", ".")),
            phrase(
                    "list",
                    "(?:what|which)\\s+files\\s+are\\s+(?:there\\s+)?" + IN + "\\s+" + WORD + END,
                    match -> object("path", placed(match.group(1)))),
            phrase(
                    "list",
                    "(?:what\\s+is|what's)\\s+in\\s+(?:the\\s+)?(?:folder\\s+|directory\\s+)?" + WORD + "/" + END,
                    match -> object("path", match.group(1))),
            phrase("list", "(?:ls|list)" + END, _ -> object("path", ".")),
            phrase("list", "(?:ls|list)\\s+" + WORD + END, match -> object("path", placed(match.group(1)))),
            phrase(
                    "read",
                    "(?:read|cat)\\s+(?:me\\s+)?(?:the\\s+)?(?:file\\s+|contents?\\s+of\\s+)?" + WORD + END,
                    match -> object("path", match.group(1))),
            phrase(
                    "read",
                    "(?:open|show|print|display)\\s+(?:me\\s+)?(?:the\\s+)?(?:file\\s+|contents?\\s+of\\s+)?" + PATH
                            + END,
                    match -> object("path", match.group(1))),
            phrase(
                    "read",
                    "(?:what\\s+is|what's)\\s+in\\s+(?:the\\s+)?(?:file\\s+)?" + PATH + END,
                    match -> object("path", match.group(1))),
            phrase(
                    "read",
                    "what\\s+does\\s+(?:the\\s+)?(?:file\\s+)?" + PATH + "\\s+(?:say|contain)" + END,
                    match -> object("path", match.group(1))));

    private PlainWords() {}

    static Optional<Wish> in(String prompt, Set<String> offered) {
        for (var phrase : PHRASES) {
            if (offered.contains(phrase.tool())) {
                var match = phrase.pattern().matcher(prompt);
                if (match.matches()) {
                    return Optional.of(
                            new Wish(phrase.tool(), phrase.arguments().apply(match)));
                }
            }
        }
        return Optional.empty();
    }

    private static Phrase phrase(String tool, String words, Function<MatchResult, ObjectNode> arguments) {
        var pattern = Pattern.compile(PLEASE + words, Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
        return new Phrase(tool, pattern, arguments);
    }

    private static ObjectNode object(String name, String value) {
        return Json.MAPPER.createObjectNode().put(name, value);
    }

    private static String placed(String path) {
        return path.equalsIgnoreCase("here") ? "." : path;
    }

    private static String unquoted(String text) {
        var stripped = text.strip();
        var last = stripped.length() - 1;
        var isQuoted =
                last > 0 && "`'\"".indexOf(stripped.charAt(0)) >= 0 && stripped.charAt(0) == stripped.charAt(last);
        return isQuoted ? stripped.substring(1, last) : stripped;
    }
}

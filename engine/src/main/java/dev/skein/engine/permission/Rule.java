package dev.skein.engine.permission;

import dev.skein.failure.InvalidRequest;
import dev.skein.message.Part;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Which calls a rule speaks of: those of the tools whose name fits, with an argument that fits.
///
/// Written `shell`, `github__*`, `shell(git status)`, `write(docs/*)` or `fetch(url=https://example.org/*)`. `*` stands
/// for any text. Without a name the argument is the one that says most: command, path, url, pattern, or else all of
/// them as JSON.
public record Rule(
        String tool, @Nullable String argument, @Nullable String value) {

    private static final Pattern SHAPE = Pattern.compile(
            "(?<tool>[\\w.*\\-]+)(?:\\((?:(?<argument>[A-Za-z_]\\w*)=)?(?<value>.+)\\))?", Pattern.DOTALL);
    private static final List<String> TELLING = List.of("command", "path", "url", "pattern");

    /// With these, what looks like one command is several, or reaches elsewhere.
    private static final String TREACHEROUS = ";&|`$<>(){}\\\n\r'\"~";

    /// A rule as people write it.
    ///
    /// @throws InvalidRequest if it is not one
    public static Rule parse(String text) {
        var shape = SHAPE.matcher(text.strip());
        if (!shape.matches()) {
            throw new InvalidRequest("'" + text
                    + "' is no permission rule; write the tool's name, or name(text) with * for anything,"
                    + " for example shell(git status)");
        }
        return new Rule(shape.group("tool"), shape.group("argument"), shape.group("value"));
    }

    /// Whether the rule speaks of this call.
    boolean matches(Part.ToolCall call) {
        return fits(call, false);
    }

    /// The same, for a rule that lets calls through: there `*` does not stand for what makes one command several, nor
    /// for a way out of a directory.
    boolean allows(Part.ToolCall call) {
        return fits(call, true);
    }

    private boolean fits(Part.ToolCall call, boolean wary) {
        if (!matches(tool, call.name(), false)) {
            return false;
        }
        if (value == null) {
            return true;
        }
        var subject = subject(call.arguments());
        if (subject.isEmpty() || (wary && leadsOut(subject.get()))) {
            return false;
        }
        return matches(value, subject.get(), wary);
    }

    private Optional<String> subject(JsonNode arguments) {
        if (argument != null) {
            return text(arguments.path(argument));
        }
        return Stream.concat(
                        TELLING.stream().flatMap(name -> text(arguments.path(name)).stream()),
                        Stream.of(arguments.toString()))
                .findFirst();
    }

    private static Optional<String> text(JsonNode value) {
        return value.isMissingNode() || value.isNull()
                ? Optional.empty()
                : Optional.of(value.isString() ? value.asString() : value.toString());
    }

    private static boolean leadsOut(String path) {
        return List.of(path.split("[/\\\\]")).contains("..");
    }

    /// Without regular expressions, so that no rule and no argument can take long.
    private static boolean matches(String pattern, String text, boolean wary) {
        int p = 0;
        int t = 0;
        int star = -1;
        int tried = 0;
        while (t < text.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                tried = t;
            } else if (p < pattern.length() && pattern.charAt(p) == text.charAt(t)) {
                p++;
                t++;
            } else if (star >= 0 && !(wary && TREACHEROUS.indexOf(text.charAt(tried)) >= 0)) {
                p = star + 1;
                t = ++tried;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }

    @Override
    public String toString() {
        if (value == null) {
            return tool;
        }
        return tool + "(" + (argument == null ? "" : argument + "=") + value + ")";
    }
}

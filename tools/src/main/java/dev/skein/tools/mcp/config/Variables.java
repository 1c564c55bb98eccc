package dev.skein.tools.mcp.config;

import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Fills in `${NAME}`, `${NAME:-otherwise}`, `${env:NAME}` and `{{NAME}}`. What is filled in is not looked at again, so
/// a value cannot name another.
record Variables(Function<String, Optional<String>> values) {

    private static final Pattern NAMED =
            Pattern.compile("\\$\\{(?:env:)?(?<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?<otherwise>[^}]*))?}"
                    + "|\\{\\{\\s*(?<secret>[A-Za-z_][A-Za-z0-9_]*)\\s*}}");

    /// @throws McpConfig.Wrong if a variable has no value
    String fill(String text) {
        return NAMED.matcher(text).replaceAll(found -> Matcher.quoteReplacement(value(found)));
    }

    private String value(java.util.regex.MatchResult found) {
        var name = found.group("name") == null ? found.group("secret") : found.group("name");
        @Nullable String otherwise = found.group("otherwise");
        return values.apply(name)
                .or(() -> Optional.ofNullable(otherwise))
                .orElseThrow(
                        () -> new McpConfig.Wrong("the variable " + name + " is not set; set it, or give a value"));
    }
}

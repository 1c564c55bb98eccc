package dev.skein.cli.secret;

import dev.skein.failure.InvalidRequest;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Fills in `{{NAME}}`. What is filled in is not looked at again, so a secret cannot name another.
///
/// @param values where names are looked up
public record Interpolation(Function<String, Optional<String>> values) {

    /// Leaves everything as it is.
    public static final Interpolation NONE = new Interpolation(_ -> Optional.empty());

    private static final Pattern NAMED = Pattern.compile("\\{\\{\\s*([A-Za-z_][A-Za-z0-9_]*)\\s*}}");

    /// The same, and somebody gets to know what was looked up.
    public Interpolation noting(BiConsumer<String, String> note) {
        return new Interpolation(name -> {
            var value = values.apply(name);
            value.ifPresent(found -> note.accept(name, found));
            return value;
        });
    }

    /// The text with values for its names.
    ///
    /// @throws InvalidRequest if a name has no value
    public String fill(String text) {
        return NAMED.matcher(text).replaceAll(found -> Matcher.quoteReplacement(value(found.group(1))));
    }

    private String value(String name) {
        return values.apply(name)
                .orElseThrow(() -> new InvalidRequest("there is no secret '" + name + "'; 'skein vault add " + name
                        + "' makes it, or set the variable " + name));
    }
}

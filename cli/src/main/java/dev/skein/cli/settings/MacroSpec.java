package dev.skein.cli.settings;

import dev.skein.failure.InvalidRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Lines that are typed one after the other, with gaps for what differs from time to time.
///
/// @param isolated whether it begins at an empty desk and leaves the one before it as it was
public record MacroSpec(
        String name, @Nullable String description, boolean isolated, List<Variable> variables, List<Step> steps) {

    private static final Pattern GAP = Pattern.compile("\\{\\{\\s*([A-Za-z_][A-Za-z0-9_]*)\\s*}}");

    public MacroSpec {
        variables = List.copyOf(variables);
        steps = List.copyOf(steps);
    }

    /// Something that is given behind the macro's name.
    ///
    /// @param rest whether it takes all that is left
    /// @param otherwise what it is if nothing is given; without it, something must be
    public record Variable(
            String name, boolean rest, @Nullable String otherwise) {

        private boolean isNeeded() {
            return otherwise == null;
        }

        String usage() {
            var shown = name.toUpperCase(Locale.ROOT) + (rest ? "..." : "");
            return isNeeded() ? shown : "[" + shown + "]";
        }
    }

    /// A line.
    ///
    /// @param place the file and the line of it that the step stands on
    public record Step(String text, String place) {

        /// Whether it is a command. What fills its gaps cannot make it one, nor another one.
        public boolean isCommand() {
            return text.length() > 1 && text.charAt(0) == '.' && Character.isLetter(text.charAt(1));
        }

        /// The names of its gaps.
        public List<String> gaps() {
            return GAP.matcher(text).results().map(found -> found.group(1)).toList();
        }
    }

    /// How it is called.
    public String usage() {
        return variables.stream().map(variable -> " " + variable.usage()).collect(Collectors.joining("", name, ""));
    }

    /// The steps with their gaps filled.
    ///
    /// @throws CommandFailure if something is missing, or there is more than the macro takes
    public List<Step> filled(List<String> arguments) {
        var values = values(arguments);
        return steps.stream()
                .map(step -> new Step(filled(step.text(), values), step.place()))
                .toList();
    }

    private static String filled(String text, Map<String, String> values) {
        return GAP.matcher(text)
                .replaceAll(gap -> Matcher.quoteReplacement(values.getOrDefault(gap.group(1), gap.group())));
    }

    private Map<String, String> values(List<String> arguments) {
        var left = new ArrayList<>(arguments);
        var values = new HashMap<String, String>();
        for (var variable : variables) {
            if (!left.isEmpty()) {
                values.put(variable.name(), variable.rest() ? String.join(" ", left) : left.removeFirst());
                if (variable.rest()) {
                    left.clear();
                }
            } else if (variable.otherwise() != null) {
                values.put(variable.name(), variable.otherwise());
            } else {
                throw new InvalidRequest(
                        "the macro '" + name + "' needs '" + variable.name() + "'; it is called as: " + usage());
            }
        }
        if (!left.isEmpty()) {
            throw new InvalidRequest("the macro '" + name + "' does not know what to do with '" + left.getFirst()
                    + "'; it is called as: " + usage());
        }
        return values;
    }
}

package dev.skein.message;

import java.util.regex.Pattern;

/// The beginning of a text that may be long. Never ends in half a character.
public final class Excerpt {

    private static final Pattern SPACE = Pattern.compile("\\s+");

    private Excerpt() {}

    /// At most so much of it, without a sign that there was more.
    public static String cut(String text, int charactersMax) {
        if (text.length() <= charactersMax) {
            return text;
        }
        var half = charactersMax > 0 && Character.isHighSurrogate(text.charAt(charactersMax - 1));
        return text.substring(0, half ? charactersMax - 1 : charactersMax);
    }

    /// The same, with an ellipsis if there was more.
    public static String of(String text, int charactersMax) {
        return text.length() <= charactersMax ? text : cut(text, charactersMax) + "…";
    }

    /// The same, on one line.
    public static String line(String text, int charactersMax) {
        return of(SPACE.matcher(text.strip()).replaceAll(" "), charactersMax);
    }
}

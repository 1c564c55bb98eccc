package dev.skein.cli.program;

import dev.skein.wire.Json;
import java.util.regex.Pattern;

/// Values as JSON text that is safe to show: control and reordering characters, which JSON allows inside
/// strings, are written as escapes. They occur nowhere else in JSON.
final class JsonText {

    private static final Pattern TO_ESCAPE =
            Pattern.compile("[\\x7F-\\x9F\\u2028\\u2029\\u202A-\\u202E\\u2066-\\u2069\\x{D800}-\\x{DFFF}]");

    private JsonText() {}

    /// On one line.
    static String compact(Object value) {
        return safe(Json.MAPPER.writeValueAsString(value));
    }

    /// On as many lines as a person likes.
    static String pretty(Object value) {
        return safe(Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value));
    }

    private static String safe(String json) {
        return TO_ESCAPE
                .matcher(json)
                .replaceAll(match -> "\\\\u%04x".formatted((int) match.group().charAt(0)));
    }
}

package dev.skein.provider.http;

import java.util.Locale;
import java.util.Set;

/// How a stream is cut into events.
public enum Framing {
    /// Server-sent events.
    EVENTS,
    /// One JSON object per line.
    LINES;

    /// What servers say that do not care what they say.
    private static final Set<String> CARELESS = Set.of("", "text/plain", "application/octet-stream");

    /// Whether a body of this type may be such a stream.
    boolean fits(String contentType) {
        var type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return CARELESS.contains(type)
                || switch (this) {
                    case EVENTS -> type.equals("text/event-stream");
                    case LINES -> type.contains("json");
                };
    }
}

package dev.skein.session;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;

/// Names one session, for ever: a UUID, printed in lower case.
public record SessionId(UUID uuid) implements Comparable<SessionId> {

    private static final String SHAPE = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

    /// The session id that `text` spells, if it spells one in full.
    public static Optional<SessionId> parse(String text) {
        return hasShape(text) ? Optional.of(new SessionId(UUID.fromString(text))) : Optional.empty();
    }

    private static boolean hasShape(String text) {
        if (text.length() != SHAPE.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            var fits = SHAPE.charAt(i) == '-' ? text.charAt(i) == '-' : HexFormat.isHexDigit(text.charAt(i));
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static SessionId of(String text) {
        return parse(text).orElseThrow(() -> new IllegalArgumentException("not a session id: '" + text + "'"));
    }

    @Override
    public int compareTo(SessionId other) {
        return toString().compareTo(other.toString());
    }

    @Override
    @JsonValue
    public String toString() {
        return uuid.toString();
    }
}

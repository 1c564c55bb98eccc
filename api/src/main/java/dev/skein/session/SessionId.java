package dev.skein.session;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/// Names one session, for ever: a UUID, printed in lower case.
public record SessionId(UUID uuid) implements Comparable<SessionId> {

    private static final Pattern SHAPE =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    /// The session id that `text` spells, if it spells one in full.
    public static Optional<SessionId> parse(String text) {
        return SHAPE.matcher(text).matches() ? Optional.of(new SessionId(UUID.fromString(text))) : Optional.empty();
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

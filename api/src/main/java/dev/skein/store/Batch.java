package dev.skein.store;

import dev.skein.failure.InvalidRequest;
import dev.skein.session.SessionEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Events to append together, and the version they build on. The key, if any, makes a retry harmless.
///
/// A `SessionOpened` says what a session is, so only a store writes it: once, and once more in a fork.
public record Batch(
        long expectedVersion,
        List<SessionEvent> events,
        @Nullable String key) {

    /// Events in one batch at most.
    public static final int EVENTS_MAX = 10_000;

    /// Characters in a key at most.
    public static final int KEY_LENGTH_MAX = 128;

    public Batch {
        events = List.copyOf(events);
        if (events.isEmpty() || events.size() > EVENTS_MAX) {
            throw new InvalidRequest("a batch has 1 to " + EVENTS_MAX + " events, not " + events.size());
        }
        if (key != null && (key.isBlank() || key.length() > KEY_LENGTH_MAX)) {
            throw new InvalidRequest("a key has 1 to " + KEY_LENGTH_MAX + " characters");
        }
        requireNoOpening(events);
    }

    public static Batch at(long expectedVersion, List<? extends SessionEvent> events) {
        return new Batch(expectedVersion, List.copyOf(events), null);
    }

    public Batch withKey(String newKey) {
        return new Batch(expectedVersion, events, newKey);
    }

    static void requireNoOpening(List<SessionEvent> events) {
        if (events.stream().anyMatch(SessionEvent.SessionOpened.class::isInstance)) {
            throw new InvalidRequest("a session is opened by its store; leave session_opened out of the events");
        }
    }
}

package dev.skein.session;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// An event at its place in the session. Sequence numbers start at 1 and have no gaps.
///
/// `key` is the idempotency key of the append that begins here. `raw` is set only for an event read back with
/// fields that this version does not know: the event as it was, so that writing it again loses nothing.
public record Entry(
        long seq,
        SessionEvent event,
        @Nullable String key,
        @Nullable ObjectNode raw) {

    public Entry {
        if (seq < 1) {
            throw new IllegalArgumentException("sequence numbers start at 1: " + seq);
        }
    }

    /// The event with everything that was in it, known here or not: what a copy has to write.
    public SessionEvent whole() {
        return raw == null
                ? event
                : new SessionEvent.Opaque(event.at(), raw.path("type").asString(""), raw);
    }

    public static Entry of(long seq, SessionEvent event) {
        return new Entry(seq, event, null, null);
    }
}

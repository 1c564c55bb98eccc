package dev.skein.store.jdbc;

import dev.skein.failure.InvalidRequest;
import dev.skein.session.Entry;
import dev.skein.session.SessionEvent;
import dev.skein.wire.EventCodec;
import dev.skein.wire.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// Events as the JSON that is in the tables, and back.
final class Bodies {

    /// As in a journal file.
    private static final int EVENT_BYTES_MAX = 96 * 1024 * 1024 - 1024;

    /// What a database takes in one statement without trouble.
    private static final long BATCH_BYTES_MAX = 256L * 1024 * 1024;

    private Bodies() {}

    static List<byte[]> of(List<SessionEvent> events) {
        var bodies = new ArrayList<byte[]>(events.size());
        var total = 0L;
        for (var event : events) {
            var body = EventCodec.encode(event, null);
            if (body.length > EVENT_BYTES_MAX) {
                throw new InvalidRequest("an event has at most %d bytes, not %d; split it or refer to a file"
                        .formatted(EVENT_BYTES_MAX, body.length));
            }
            total += body.length;
            bodies.add(body);
        }
        if (total > BATCH_BYTES_MAX) {
            throw new InvalidRequest("the events of one append have at most %d bytes together, not %d; append less at a"
                            .formatted(BATCH_BYTES_MAX, total)
                    + " time");
        }
        return bodies;
    }

    /// What cannot be understood hides nothing but itself.
    static Entry entry(long seq, byte[] body, @Nullable String key) {
        try {
            var decoded = EventCodec.decode(body, 0, body.length);
            return new Entry(seq, decoded.event(), key, decoded.raw());
        } catch (JacksonException _) {
            return gap(seq);
        }
    }

    /// Stands in for an event that cannot be read or is not there.
    static Entry gap(long seq) {
        var body = Json.MAPPER.createObjectNode().put("type", "gap").put("at", Instant.EPOCH.toString());
        return Entry.of(seq, new SessionEvent.Opaque(Instant.EPOCH, "gap", body));
    }

    static Instant instant(long nanos) {
        return Instant.ofEpochSecond(0, nanos);
    }

    /// Nanoseconds since 1970, as far as a number reaches.
    static long nanos(Instant time) {
        try {
            return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano());
        } catch (ArithmeticException _) {
            return time.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    static long newest(List<? extends SessionEvent> events) {
        return events.stream().mapToLong(event -> nanos(event.at())).max().orElse(Long.MIN_VALUE);
    }
}

package dev.skein.store.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.KeyConflict;
import dev.skein.session.Entry;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.store.Appended;
import dev.skein.store.Batch;
import dev.skein.wire.Json;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetryTest {

    private static final SessionId SESSION = SessionId.of("00000000-0000-7000-8000-000000000000");

    @Test
    void numbers_are_compared_as_json_knows_them() {
        var asInt = Json.MAPPER
                .createObjectNode()
                .put("type", "x")
                .put("at", "1970-01-01T00:00:00Z")
                .put("n", 1);
        var asLong = Json.MAPPER
                .createObjectNode()
                .put("type", "x")
                .put("at", "1970-01-01T00:00:00Z")
                .put("n", 1L);
        var batch = Batch.at(1, List.of(new SessionEvent.Opaque(Instant.EPOCH, "x", asLong)))
                .withKey("key");
        var stored = new Entry(2, new SessionEvent.Opaque(Instant.EPOCH, "x", asInt), "key", null);

        assertThat(Retry.settle(SESSION, batch, List.of(stored))).isEqualTo(new Appended(2, 2, true));
    }

    @Test
    void more_or_fewer_events_are_a_conflict() {
        var one = new SessionEvent.SessionCleared(Instant.EPOCH);
        var stored = List.of(new Entry(2, one, "key", null), Entry.of(3, one));

        for (var events : List.of(List.of(one), List.of(one, one, one))) {
            assertThatThrownBy(() -> Retry.settle(SESSION, Batch.at(1, events).withKey("key"), stored))
                    .isInstanceOf(KeyConflict.class);
        }
    }

    @Test
    void entries_of_another_append_are_a_mistake() {
        var event = new SessionEvent.SessionCleared(Instant.EPOCH);
        var batch = Batch.at(1, List.of(event)).withKey("key");

        assertThatThrownBy(() -> Retry.settle(SESSION, batch, List.of(Entry.of(2, event))))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

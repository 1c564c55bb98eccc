package dev.skein.session;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/// Names one loop. Ids made here are UUIDs; imported ids are kept verbatim, however odd.
public record LoopId(@JsonValue String text) {

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public LoopId {
        if (text.isBlank()) {
            throw new IllegalArgumentException("a loop id must not be blank");
        }
    }

    @Override
    public String toString() {
        return text;
    }
}

package dev.skein.message;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/// Names one message within its session. Imported ids are kept as they were.
public record MessageId(@JsonValue String text) {

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public MessageId {
        if (text.isBlank()) {
            throw new IllegalArgumentException("a message id must not be blank");
        }
    }

    @Override
    public String toString() {
        return text;
    }
}

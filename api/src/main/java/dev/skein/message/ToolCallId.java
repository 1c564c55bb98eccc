package dev.skein.message;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/// Names one tool call, as the model that asked for it named it.
public record ToolCallId(@JsonValue String text) {

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public ToolCallId {
        if (text.isBlank()) {
            throw new IllegalArgumentException("a tool call id must not be blank");
        }
    }

    @Override
    public String toString() {
        return text;
    }
}

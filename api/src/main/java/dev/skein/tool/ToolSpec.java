package dev.skein.tool;

import tools.jackson.databind.node.ObjectNode;

/// What a tool is called, what it does, and which arguments it takes, as a JSON schema.
public record ToolSpec(String name, String description, ObjectNode parameters, Repeat repeat) {

    public ToolSpec {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a tool needs a name");
        }
    }

    /// Whether running the same call twice is as good as running it once. After a crash in the middle of a call, only
    /// a tool that says so is run again.
    public enum Repeat {
        SAFE,
        UNSAFE
    }
}

package dev.skein.tool;

import tools.jackson.databind.node.ObjectNode;

/// What a tool is called, what it does, which arguments it takes, as a JSON schema, and what running it means.
public record ToolSpec(String name, String description, ObjectNode parameters, Repeat repeat, Effect effect) {

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

    /// What a call can do to the world. Where no rule says otherwise, a tool that acts needs a person's yes.
    public enum Effect {
        /// It looks, on this machine, and changes nothing.
        READS,
        /// It changes something, or tells somebody else something.
        ACTS
    }
}

package dev.skein.engine.permission;

import dev.skein.message.Part;
import dev.skein.tool.ToolSpec;

/// Decides about tool calls before they run.
public interface Permissions {

    Decision decide(ToolSpec tool, Part.ToolCall call);

    /// Everything may run.
    Permissions ALLOW_ALL = (_, _) -> new Decision.Allow();

    /// What to do with a call.
    sealed interface Decision {
        record Allow() implements Decision {}

        /// A person has to say yes first.
        record Ask(String reason) implements Decision {}

        record Deny(String rule) implements Decision {}
    }
}

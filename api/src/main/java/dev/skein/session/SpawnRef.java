package dev.skein.session;

import static java.util.Objects.requireNonNull;

/// From a sub-agent's session back to the loop and tool call that started it.
public record SpawnRef(SessionId session, LoopId loop, String toolCall, String tool) {
    public SpawnRef {
        requireNonNull(session, "session");
        requireNonNull(loop, "loop");
        requireNonNull(toolCall, "toolCall");
        requireNonNull(tool, "tool");
    }
}

package dev.skein.session;

import static java.util.Objects.requireNonNull;

/// From a loop to the sub-agent's loop that one of its tool calls started.
public record ChildLoopRef(String toolCall, String tool, LoopId loop, SessionId session) {
    public ChildLoopRef {
        requireNonNull(toolCall, "toolCall");
        requireNonNull(tool, "tool");
        requireNonNull(loop, "loop");
        requireNonNull(session, "session");
    }
}

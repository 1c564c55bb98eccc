package dev.skein.session;

/// From a sub-agent's session back to the loop and tool call that started it.
public record SpawnRef(SessionId session, LoopId loop, String toolCall, String tool) {}

package dev.skein.session;

/// From a loop to the sub-agent's loop that one of its tool calls started.
public record ChildLoopRef(String toolCall, String tool, LoopId loop, SessionId session) {}

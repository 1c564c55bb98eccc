package dev.skein.session;

/// A loop, and the sequence number at which it started, where a reader finds it without searching.
public record LoopPointer(LoopId loop, long seq) {}

package dev.skein.store;

/// What an append did: the sequence numbers of its first and last event. `repeated` if the events were there
/// already, under the same key.
public record Appended(long first, long last, boolean repeated) {}

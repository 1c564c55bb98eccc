package dev.skein.store.file;

import java.util.Locale;

/// When an acknowledged event reaches the disk itself, and so survives a power cut.
public enum Durability {
    /// Before the append returns.
    ALWAYS,
    /// Within half a minute, and when the store is closed. Survives a crash of the process, not of the machine.
    INTERVAL,
    /// When the operating system likes.
    NEVER;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

package dev.skein.tools.rag.source;

/// Something that was left out, and why.
public record Problem(String source, String reason) {}

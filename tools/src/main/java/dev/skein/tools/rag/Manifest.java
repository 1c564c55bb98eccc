package dev.skein.tools.rag;

import dev.skein.tools.rag.text.Chunking;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What a generation was made of.
///
/// @param format of the directory; another one is built anew
/// @param embedding which model made the vectors
/// @param documents by path or URL
public record Manifest(
        int format,
        String embedding,
        Chunking chunking,
        List<String> sources,
        Instant builtAt,
        Map<String, Fingerprint> documents) {

    public static final int FORMAT = 1;

    public Manifest {
        sources = List.copyOf(sources);
        documents = Collections.unmodifiableMap(new TreeMap<>(documents));
    }

    /// By what a document is known again.
    ///
    /// @param modified in milliseconds of the epoch; 0 for a page of the web
    public record Fingerprint(long size, long modified, String sha256, int passages) {}

    public int passages() {
        return documents.values().stream().mapToInt(Fingerprint::passages).sum();
    }

    /// Whether passages of the one can stand beside those of the other.
    boolean fits(Manifest other) {
        return format == other.format && embedding.equals(other.embedding) && chunking.equals(other.chunking);
    }
}

package dev.skein.tools.rag;

import dev.skein.tools.rag.embedding.LocalEmbedder;
import java.nio.file.Path;
import java.time.Clock;

/// Collections with the model on this machine, whose libraries all tests share.
final class LocalRags {

    private static final Path LIBRARIES =
            Path.of("target", "embedding-libraries").toAbsolutePath();

    private LocalRags() {}

    static LocalEmbedder embedder() {
        return new LocalEmbedder(LIBRARIES);
    }

    static Rags in(Path home) {
        return new Rags(home, _ -> embedder(), Clock.systemUTC());
    }
}

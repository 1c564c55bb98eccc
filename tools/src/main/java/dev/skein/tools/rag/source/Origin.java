package dev.skein.tools.rag.source;

import java.nio.file.Path;

/// Where one document is.
public sealed interface Origin {

    /// How the document is called: the path, or the URL.
    String name();

    /// A file on this machine.
    ///
    /// @param modified in milliseconds of the epoch
    record LocalFile(Path path, long size, long modified) implements Origin {
        @Override
        public String name() {
            return path.toString();
        }
    }

    record Web(String url) implements Origin {
        @Override
        public String name() {
            return url;
        }
    }
}

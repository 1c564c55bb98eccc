package dev.skein.exchange.imports;

import dev.skein.exchange.history.Earlier;
import java.nio.file.Path;
import java.time.Instant;

/// A file of another tool: where it lies, what is in it, and when it was last written.
public final class SourceFile {

    private final Path path;
    private final byte[] content;
    private final Instant modifiedAt;
    private final Earlier earlier;

    /// The bytes are not copied: nobody may change them.
    public SourceFile(Path path, byte[] content, Instant modifiedAt) {
        this(path, content, modifiedAt, Earlier.NONE);
    }

    private SourceFile(Path path, byte[] content, Instant modifiedAt, Earlier earlier) {
        this.path = path;
        this.content = content;
        this.modifiedAt = modifiedAt;
        this.earlier = earlier;
    }

    /// The same file, to be read with regard to what an earlier import made of it.
    SourceFile after(Earlier imported) {
        return new SourceFile(path, content, modifiedAt, imported);
    }

    Earlier earlier() {
        return earlier;
    }

    public Path path() {
        return path;
    }

    byte[] content() {
        return content;
    }

    Instant modifiedAt() {
        return modifiedAt;
    }

    /// What failures call it.
    public String name() {
        return path.toString();
    }

    /// Its name without what follows the last dot.
    String stem() {
        var file = path.getFileName() == null ? "" : path.getFileName().toString();
        var dot = file.lastIndexOf('.');
        return dot > 0 ? file.substring(0, dot) : file;
    }
}

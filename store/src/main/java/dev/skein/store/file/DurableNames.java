package dev.skein.store.file;

import dev.skein.store.file.Disk.Access;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Changes of names that survive a power cut: small files replaced whole, directories made and removed.
///
/// Every new name is followed by a sync of the directory that holds it, before anybody is told.
final class DurableNames {

    /// How a file looks that is being written; whatever is found under such a name at start is swept.
    static final String TEMPORARY = ".tmp-";

    private static final AtomicLong COUNTER = new AtomicLong();

    private final Disk disk;

    DurableNames(Disk disk) {
        this.disk = disk;
    }

    /// Puts `content` under `path` in one step: whoever reads sees the old content or the new.
    void replace(Path path, byte[] content) throws IOException {
        var temporary = temporaryBeside(path);
        // A process that was killed may have had the same number as this one.
        while (disk.stat(temporary) != null) {
            temporary = temporaryBeside(path);
        }
        try {
            try (var file = disk.open(temporary, Access.CREATE)) {
                file.write(ByteBuffer.wrap(content), 0);
                file.sync();
            }
            disk.move(temporary, path);
        } catch (IOException e) {
            deleteQuietly(temporary);
            throw e;
        }
        disk.syncDirectory(parent(path));
    }

    /// Whether a real directory is at the path, not a link to one.
    boolean isDirectory(Path path) throws IOException {
        var stat = disk.stat(path);
        return stat != null && stat.kind() == Disk.Kind.DIRECTORY;
    }

    /// Makes a directory and all it needs above it.
    void createDirectories(Path directory) throws IOException {
        var stat = disk.stat(directory);
        if (stat != null) {
            if (stat.kind() != Disk.Kind.DIRECTORY) {
                throw new IOException(directory + " is not a directory");
            }
            return;
        }
        var above = directory.getParent();
        if (above != null) {
            createDirectories(above);
        }
        try {
            disk.createDirectory(directory);
        } catch (FileAlreadyExistsException _) {
            return;
        }
        try {
            if (above != null) {
                disk.syncDirectory(above);
            }
        } catch (IOException e) {
            // Left there, the next one would take it for durable.
            deleteQuietly(directory);
            throw e;
        }
    }

    /// Renames, and makes both ends durable.
    void move(Path from, Path to) throws IOException {
        disk.move(from, to);
        disk.syncDirectory(parent(to));
        if (!parent(from).equals(parent(to))) {
            disk.syncDirectory(parent(from));
        }
    }

    /// Removes a file if it is there.
    void deleteIfThere(Path path) throws IOException {
        if (!isDirectory(parent(path)) || disk.stat(path) == null) {
            return;
        }
        try {
            disk.delete(path);
        } catch (NoSuchFileException _) {
            return;
        }
        disk.syncDirectory(parent(path));
    }

    /// Removes a directory and everything in it. Links in it are removed, not followed.
    void deleteTree(Path directory) throws IOException {
        empty(directory);
        disk.syncDirectory(parent(directory));
    }

    /// The content of a small file, or null if there is none, it is longer than `sizeMax`, or something else is in its
    /// place.
    byte @Nullable [] read(Path path, int sizeMax) throws IOException {
        var stat = disk.stat(path);
        if (stat == null || stat.kind() != Disk.Kind.FILE) {
            return null;
        }
        try (var file = disk.open(path, Access.READ)) {
            var size = file.size();
            if (size > sizeMax) {
                return null;
            }
            var content = ByteBuffer.allocate((int) size);
            var count = file.read(content, 0);
            return Arrays.copyOf(content.array(), count);
        } catch (NoSuchFileException _) {
            return null;
        }
    }

    static Path parent(Path path) {
        var parent = path.getParent();
        if (parent == null) {
            throw new IllegalArgumentException("no directory holds " + path);
        }
        return parent;
    }

    private void empty(Path path) throws IOException {
        var stat = disk.stat(path);
        if (stat == null) {
            return;
        }
        if (stat.kind() == Disk.Kind.DIRECTORY) {
            for (var name : disk.list(path)) {
                empty(path.resolve(name));
            }
        }
        try {
            disk.delete(path);
        } catch (NoSuchFileException _) {
            return;
        }
    }

    private static Path temporaryBeside(Path path) {
        return path.resolveSibling(TEMPORARY + ProcessHandle.current().pid() + "-" + COUNTER.incrementAndGet());
    }

    private void deleteQuietly(Path path) {
        try {
            disk.delete(path);
        } catch (IOException _) {
            // It is swept at the next start.
        }
    }
}

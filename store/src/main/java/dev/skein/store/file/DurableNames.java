package dev.skein.store.file;

import dev.skein.store.file.Disk.Access;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Changes of names that survive a power cut: small files replaced whole, directories made and removed.
///
/// Every new name is followed by a sync of the directory that holds it, before anybody is told.
final class DurableNames {

    /// How a file looks that is being written; whatever is found under such a name is swept.
    static final String TEMPORARY = ".tmp-";

    private static final int COPY_PIECE = 1024 * 1024;
    private static final AtomicLong COUNTER = new AtomicLong();

    /// What tells the temporary names of this process from those of others, and of earlier ones with the same
    /// number. Whoever only reads need not wait for it.
    private static final class ThisProcess {
        static final String NAME = HexFormat.of().toHexDigits(new SecureRandom().nextLong());
    }

    private final Disk disk;
    private final Set<Path> relied = ConcurrentHashMap.newKeySet();

    DurableNames(Disk disk) {
        this.disk = disk;
    }

    /// Puts `content` under `path` in one step: whoever reads sees the old content or the new.
    void replace(Path path, byte[] content) throws IOException {
        replace(path, content, parent(path));
    }

    /// The same, with what is not finished yet in another directory of the same disk, where it is swept more easily.
    void replace(Path path, byte[] content, Path workshop) throws IOException {
        var temporary = temporaryIn(workshop);
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
        return disk.isDirectory(path);
    }

    /// Puts a copy of a file under `path` in one step; that may be the file itself.
    void copy(Path original, Path path) throws IOException {
        var temporary = temporaryIn(parent(path));
        try {
            try (var from = disk.open(original, Access.READ);
                    var to = disk.open(temporary, Access.CREATE)) {
                var piece = ByteBuffer.allocate(COPY_PIECE);
                for (var at = 0L; from.read(piece.clear(), at) > 0; at += piece.limit()) {
                    to.write(piece.flip(), at);
                }
                to.sync();
            }
            disk.move(temporary, path);
        } catch (IOException e) {
            deleteQuietly(temporary);
            throw e;
        }
        disk.syncDirectory(parent(path));
    }

    /// Makes a directory and all it needs above it.
    ///
    /// One that is there already may have been made by a process that did not live to sync its name. So the
    /// first to rely on it here syncs that, too, for all directories below `top`.
    void createDirectories(Path directory, Path top) throws IOException {
        var stat = disk.stat(directory);
        if (stat != null && stat.kind() != Disk.Kind.DIRECTORY) {
            throw new IOException(directory + " is not a directory");
        }
        var below = directory.startsWith(top) && !directory.equals(top);
        var above = directory.getParent();
        if (above == null || (stat != null && (!below || relied.contains(directory)))) {
            return;
        }
        createDirectories(above, top);
        if (stat == null) {
            createDirectory(directory);
        }
        disk.syncDirectory(above);
        relied.add(directory);
    }

    private void createDirectory(Path directory) throws IOException {
        try {
            disk.createDirectory(directory);
        } catch (FileAlreadyExistsException _) {
            // Somebody was faster.
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

    /// The content of a small file, or null if there is none, it is longer than `sizeMax`, or something else is
    /// in its place.
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

    /// A name in this directory that nobody else uses, for what is being made or removed.
    static Path temporaryIn(Path directory) {
        return directory.resolve(TEMPORARY + ThisProcess.NAME + "-" + COUNTER.incrementAndGet());
    }

    private void deleteQuietly(Path path) {
        try {
            disk.delete(path);
        } catch (IOException _) {
            // It is swept later.
        }
    }
}

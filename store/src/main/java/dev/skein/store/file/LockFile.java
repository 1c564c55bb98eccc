package dev.skein.store.file;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A lock between processes, held on a file that is opened for nothing else and never deleted on its own.
///
/// Closing any descriptor of a file drops all locks this process has on it, silently. So a path that is locked
/// anywhere in this process is not opened a second time; the second caller is told that it is taken.
final class LockFile implements AutoCloseable {

    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel channel;

    private LockFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /// Takes the lock, or returns null if somebody else has it. Makes the file if need be.
    static @Nullable LockFile tryAcquire(Path file) throws IOException {
        var path = DurableNames.parent(file).toRealPath().resolve(file.getFileName());
        if (!HELD.add(path)) {
            return null;
        }
        FileChannel channel = null;
        FileLock lock = null;
        try {
            requirePlain(path);
            channel = FileChannel.open(
                    path,
                    Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE, NOFOLLOW_LINKS),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            lock = channel.tryLock();
            return lock == null ? null : new LockFile(path, channel);
        } finally {
            if (lock == null) {
                if (channel != null) {
                    channel.close();
                }
                HELD.remove(path);
            }
        }
    }

    /// A FIFO would wait for somebody at its other end. With a second name, the lock of one would be dropped by
    /// closing the other.
    private static void requirePlain(Path path) throws IOException {
        try {
            var attributes = Files.readAttributes(path, "unix:isRegularFile,nlink", NOFOLLOW_LINKS);
            if (!Boolean.TRUE.equals(attributes.get("isRegularFile"))) {
                throw new FileSystemException(path.toString(), null, "the lock is not a plain file; move it away");
            }
            if (!Integer.valueOf(1).equals(attributes.get("nlink"))) {
                throw new FileSystemException(
                        path.toString(), null, "the lock has a second name; remove the hard link");
            }
        } catch (NoSuchFileException _) {
            // It is made.
        }
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            HELD.remove(path);
        }
    }
}

package dev.skein.server.auth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.skein.failure.StorageFailed;
import dev.skein.failure.UnsafeSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/// A small file with secrets: whole or not there, and for the eyes of its owner only.
public final class PrivateFile {

    private static final int BYTES_MAX = 4 * 1024 * 1024;
    private static final Set<PosixFilePermission> OTHERS = EnumSet.complementOf(EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE));

    private static final ReentrantLock IN_THIS_PROCESS = new ReentrantLock();
    private static final int LOCK_TRIES = 1_000;
    private static final long LOCK_PAUSE_NANOS = 10_000_000;

    private final Path path;

    public PrivateFile(Path path) {
        this.path = path;
    }

    /// What changes whenever the file does. Empty if there is none.
    record Stamp(long modifiedNanos, long size, Object key) {}

    public Path path() {
        return path;
    }

    Optional<Stamp> stamp() {
        try {
            var attributes = Files.readAttributes(path, BasicFileAttributes.class, NOFOLLOW_LINKS);
            var modified = attributes.lastModifiedTime().to(java.util.concurrent.TimeUnit.NANOSECONDS);
            return Optional.of(new Stamp(modified, attributes.size(), String.valueOf(attributes.fileKey())));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException e) {
            throw StorageFailed.io("look at " + path, e);
        }
    }

    /// Empty if there is none.
    ///
    /// @throws UnsafeSettings if others may read or write it, or it is no plain file
    public Optional<String> read() {
        try {
            if (!Files.exists(path, NOFOLLOW_LINKS)) {
                return Optional.empty();
            }
            if (!Files.isRegularFile(path, NOFOLLOW_LINKS) || Files.size(path) > BYTES_MAX) {
                throw UnsafeSettings.open(path + " is no plain file, or too large; move it away");
            }
            var permissions = Files.getPosixFilePermissions(path, NOFOLLOW_LINKS);
            if (permissions.stream().anyMatch(OTHERS::contains)) {
                throw UnsafeSettings.open(
                        path + " has secrets and others may use it; make new ones, or 'chmod 600' it if nobody did");
            }
            try (var channel = FileChannel.open(path, StandardOpenOption.READ, NOFOLLOW_LINKS)) {
                var bytes = ByteBuffer.allocate((int) Math.min(BYTES_MAX, channel.size()));
                while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
                return Optional.of(new String(bytes.array(), 0, bytes.position(), UTF_8));
            }
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException e) {
            throw StorageFailed.io("read " + path, e);
        }
    }

    /// Whoever reads sees the old content or the new.
    public void replace(String content) {
        try {
            var temporary = written(content);
            Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            syncDirectory();
        } catch (IOException e) {
            throw StorageFailed.io("write " + path, e);
        }
    }

    /// Replaces the content by what becomes of it, while nobody else does so, in this process or another.
    public void change(Function<Optional<String>, String> edit) {
        IN_THIS_PROCESS.lock();
        try (var channel = lockFile();
                var _ = locked(channel)) {
            replace(edit.apply(read()));
        } catch (IOException e) {
            throw StorageFailed.io("change " + path, e);
        } finally {
            IN_THIS_PROCESS.unlock();
        }
    }

    private FileChannel lockFile() throws IOException {
        Files.createDirectories(
                directory(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        return FileChannel.open(
                directory().resolve(path.getFileName() + ".lock"),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    private static FileLock locked(FileChannel channel) throws IOException {
        for (int i = 0; i < LOCK_TRIES; i++) {
            var lock = channel.tryLock();
            if (lock != null) {
                return lock;
            }
            LockSupport.parkNanos(LOCK_PAUSE_NANOS);
        }
        throw new IOException("somebody else is changing it for too long");
    }

    /// Makes the file with this content unless there is one; of two who try at once, one does.
    public void createIfMissing(String content) {
        try {
            var temporary = written(content);
            try {
                Files.createLink(path, temporary);
                syncDirectory();
            } catch (FileAlreadyExistsException _) {
                // Somebody was faster, and theirs counts.
            } finally {
                Files.deleteIfExists(temporary);
            }
        } catch (IOException e) {
            throw StorageFailed.io("write " + path, e);
        }
    }

    private Path written(String content) throws IOException {
        var directory = directory();
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        var temporary = directory.resolve(".tmp-" + Long.toHexString(new SecureRandom().nextLong()));
        try (var channel = FileChannel.open(
                temporary,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            var bytes = ByteBuffer.wrap(content.getBytes(UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        return temporary;
    }

    private void syncDirectory() throws IOException {
        try (var channel = FileChannel.open(directory(), StandardOpenOption.READ)) {
            channel.force(true);
        } catch (FileSystemException _) {
            // Not every system can open a directory; the file itself is synced.
        }
    }

    private Path directory() {
        var parent = path.toAbsolutePath().getParent();
        return parent == null ? path.toAbsolutePath() : parent;
    }
}

package dev.skein.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.WatchService;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The store's only way to the operating system. Small, so that a simulated disk can lose, tear and scramble
/// what was not synced.
///
/// Links are never followed at the last component of a path. New files are readable by their owner only.
interface Disk {

    /// A file's data. Safe for use by several threads as far as the operating system is.
    interface DiskFile extends AutoCloseable {

        long size() throws IOException;

        /// Reads at `position` until the buffer is full or the file ends; returns the number of bytes read.
        int read(ByteBuffer into, long position) throws IOException;

        /// Writes the whole buffer at `position`. May fail half way.
        void write(ByteBuffer bytes, long position) throws IOException;

        void truncate(long size) throws IOException;

        /// When this returns, everything written so far survives a power cut.
        void sync() throws IOException;

        @Override
        void close() throws IOException;
    }

    /// What is at a path. `key` identifies the file whatever its name; `links` counts its names.
    record Stat(Kind kind, long size, long modifiedNanos, Object key, int links) {}

    /// What sort of thing is at a path.
    enum Kind {
        FILE,
        DIRECTORY,
        OTHER
    }

    /// How to open a file.
    enum Access {
        READ,
        /// An existing file, for reading and writing.
        WRITE,
        /// A file that must not exist yet.
        CREATE
    }

    DiskFile open(Path path, Access access) throws IOException;

    /// What is at the path, or null if nothing is.
    @Nullable
    Stat stat(Path path) throws IOException;

    /// What identifies the thing at the path whatever its name, or null if nothing is there.
    default @Nullable Object key(Path path) throws IOException {
        var stat = stat(path);
        return stat == null ? null : stat.key();
    }

    /// When the thing at the path was changed, in nanoseconds, or 0 if nothing is there.
    default long modifiedNanos(Path path) throws IOException {
        var stat = stat(path);
        return stat == null ? 0 : stat.modifiedNanos();
    }

    /// Whether a real directory is at the path, not a link to one.
    default boolean isDirectory(Path path) throws IOException {
        var stat = stat(path);
        return stat != null && stat.kind() == Kind.DIRECTORY;
    }

    /// The size of the plain file at the path, or -1 if there is none.
    default long fileSize(Path path) throws IOException {
        var stat = stat(path);
        return stat == null || stat.kind() != Kind.FILE ? -1 : stat.size();
    }

    /// The names in a directory, in no order; none if there is no such directory, or a link in its place.
    List<String> list(Path directory) throws IOException;

    /// Makes one directory. Its name is durable after [#syncDirectory] of its parent.
    void createDirectory(Path directory) throws IOException;

    /// Renames, replacing what is there, in one step.
    void move(Path from, Path to) throws IOException;

    /// Removes a file or an empty directory.
    void delete(Path path) throws IOException;

    /// When this returns, the names in the directory survive a power cut.
    void syncDirectory(Path directory) throws IOException;

    /// Tells of changes in directories, or null where nothing does.
    default @Nullable WatchService watcher() {
        return null;
    }
}

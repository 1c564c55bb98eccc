package dev.skein.store.file;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The disk of this machine.
final class RealDisk implements Disk {

    private static final ExecutorService AT_ONCE = new AtOnce();
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<?> OWNER_ONLY_DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    @Override
    public DiskFile open(Path path, Access access) throws IOException {
        Set<OpenOption> options = switch (access) {
            case READ -> Set.of(StandardOpenOption.READ, NOFOLLOW_LINKS);
            case WRITE -> Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, NOFOLLOW_LINKS);
            case CREATE ->
                Set.of(
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.CREATE_NEW,
                        NOFOLLOW_LINKS);
        };
        var stat = access == Access.CREATE ? null : stat(path);
        if (stat != null && stat.kind() != Kind.FILE) {
            // A FIFO would wait for somebody at its other end.
            throw new FileSystemException(path.toString(), null, "not a plain file");
        }
        return new ChannelFile(path, options);
    }

    @Override
    public @Nullable Stat stat(Path path) throws IOException {
        try {
            var attributes = Files.readAttributes(
                    path, "unix:isRegularFile,isDirectory,size,lastModifiedTime,fileKey,nlink", NOFOLLOW_LINKS);
            var kind = attribute(attributes, "isRegularFile", Boolean.class)
                    ? Kind.FILE
                    : attribute(attributes, "isDirectory", Boolean.class) ? Kind.DIRECTORY : Kind.OTHER;
            return new Stat(
                    kind,
                    attribute(attributes, "size", Long.class),
                    attribute(attributes, "lastModifiedTime", FileTime.class).to(TimeUnit.NANOSECONDS),
                    attribute(attributes, "fileKey", Object.class),
                    attribute(attributes, "nlink", Integer.class));
        } catch (NoSuchFileException _) {
            return null;
        } catch (FileSystemException e) {
            if (leadsNowhere(e)) {
                return null;
            }
            throw e;
        }
    }

    @Override
    public @Nullable Object key(Path path) throws IOException {
        var attributes = attributes(path);
        return attributes == null ? null : attributes.fileKey();
    }

    @Override
    public long modifiedNanos(Path path) throws IOException {
        var attributes = attributes(path);
        return attributes == null ? 0 : attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS);
    }

    /// There are few of them for each user of a machine, so there may be none left.
    @Override
    public @Nullable WatchService watcher() {
        try {
            return FileSystems.getDefault().newWatchService();
        } catch (IOException | UnsupportedOperationException e) {
            log().debug("nothing tells of changes in directories: {}", e.getMessage());
            return null;
        }
    }

    @Override
    public boolean isDirectory(Path path) throws IOException {
        var attributes = attributes(path);
        return attributes != null && attributes.isDirectory();
    }

    @Override
    public long fileSize(Path path) throws IOException {
        var attributes = attributes(path);
        return attributes == null || !attributes.isRegularFile() ? -1 : attributes.size();
    }

    /// What most want to know, at half the price of [#stat], which alone knows how many names a file has.
    private static @Nullable BasicFileAttributes attributes(Path path) throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class, NOFOLLOW_LINKS);
        } catch (NoSuchFileException _) {
            return null;
        } catch (FileSystemException e) {
            if (leadsNowhere(e)) {
                return null;
            }
            throw e;
        }
    }

    /// Whether something on the way is a file, or a link that goes in circles.
    private static boolean leadsNowhere(FileSystemException e) {
        var reason = String.valueOf(e.getReason());
        return reason.contains("Not a directory") || reason.contains("Too many levels of symbolic links");
    }

    private static <T> T attribute(Map<String, Object> attributes, String name, Class<T> type) {
        return requireNonNull(type.cast(attributes.get(name)), name);
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        var names = new ArrayList<String>();
        var stat = stat(directory);
        if (stat == null || stat.kind() != Kind.DIRECTORY) {
            return names;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (var entry : entries) {
                var name = entry.getFileName();
                if (name != null && isUsable(directory, name.toString(), entry)) {
                    names.add(name.toString());
                }
            }
        } catch (NoSuchFileException | NotDirectoryException _) {
            return List.of();
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
    }

    /// A name that this machine's locale cannot spell does not lead back to its file. We make no such names.
    private static boolean isUsable(Path directory, String name, Path entry) {
        try {
            if (isAscii(name) || directory.resolve(name).equals(entry)) {
                return true;
            }
        } catch (InvalidPathException _) {
            // Told below.
        }
        log().warn("a file in {} is left out, because its name cannot be spelled in this locale", directory);
        return false;
    }

    /// What cannot be spelled is spelled with a character that is not ASCII, or with a question mark.
    private static boolean isAscii(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) >= 0x80 || name.charAt(i) == '?') {
                return false;
            }
        }
        return true;
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
        Files.createDirectory(directory, OWNER_ONLY_DIRECTORY);
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void delete(Path path) throws IOException {
        Files.delete(path);
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        try (var opened = new ChannelFile(directory, Set.of(StandardOpenOption.READ))) {
            opened.syncAll();
        }
    }

    /// A file whose reads, writes and syncs an interrupt neither ends nor harms.
    ///
    /// An ordinary channel is closed when its user is interrupted, and then hides whether the call had failed. An
    /// asynchronous one is not; given an executor that runs everything at once, it works on the caller's thread.
    private static final class ChannelFile implements DiskFile {

        private final AsynchronousFileChannel channel;

        ChannelFile(Path path, Set<? extends OpenOption> options) throws IOException {
            this.channel = AsynchronousFileChannel.open(path, options, AT_ONCE, OWNER_ONLY);
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            var start = into.position();
            while (into.hasRemaining()) {
                var count = done(channel.read(into, position + into.position() - start));
                if (count < 0) {
                    break;
                }
            }
            return into.position() - start;
        }

        @Override
        public void write(ByteBuffer bytes, long position) throws IOException {
            var start = bytes.position();
            while (bytes.hasRemaining()) {
                done(channel.write(bytes, position + bytes.position() - start));
            }
        }

        @Override
        public void truncate(long size) throws IOException {
            channel.truncate(size);
        }

        @Override
        public void sync() throws IOException {
            channel.force(false);
        }

        void syncAll() throws IOException {
            channel.force(true);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }

        /// Returns how many bytes were read or written; that was done before this was asked.
        private static int done(Future<Integer> operation) throws IOException {
            if (operation.state() == Future.State.SUCCESS) {
                return operation.resultNow();
            }
            if (operation.state() == Future.State.FAILED && operation.exceptionNow() instanceof IOException e) {
                throw e;
            }
            throw new IOException("a file operation was not done at once: " + operation);
        }
    }

    /// Runs what it is given before it returns. It holds nothing, so it need not be shut down.
    private static final class AtOnce extends AbstractExecutorService {

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public void shutdown() {
            // There is nothing to end.
        }

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return true;
        }
    }

    private static Logger log() {
        return LoggerFactory.getLogger(RealDisk.class);
    }
}

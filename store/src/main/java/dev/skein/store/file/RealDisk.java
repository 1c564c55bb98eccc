package dev.skein.store.file;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The disk of this machine.
final class RealDisk implements Disk {

    private static final Logger LOG = LoggerFactory.getLogger(RealDisk.class);
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
        return new ChannelFile(path, options, stat == null ? null : stat.key());
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
            if (directory.resolve(name).equals(entry)) {
                return true;
            }
        } catch (InvalidPathException _) {
            // Told below.
        }
        LOG.warn("a file in {} is left out, because its name cannot be spelled in this locale", directory);
        return false;
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
        try (var opened = new ChannelFile(directory, Set.of(StandardOpenOption.READ), null)) {
            opened.syncAll();
        }
    }

    private interface Action<T> {
        T run(FileChannel channel) throws IOException;
    }

    /// A file channel that interrupts do not harm. Java closes a channel whose user is interrupted; then it is opened
    /// again and goes on, and the thread stays interrupted.
    private static final class ChannelFile implements DiskFile {
        private final Path path;
        private final Set<? extends OpenOption> options;
        private final @Nullable Object key;
        private FileChannel channel;

        ChannelFile(Path path, Set<? extends OpenOption> options, @Nullable Object key) throws IOException {
            this.path = path;
            this.options = options;
            this.key = key;
            this.channel = FileChannel.open(path, options, OWNER_ONLY);
        }

        @Override
        public long size() throws IOException {
            return undisturbed(FileChannel::size);
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            var start = into.position();
            while (into.hasRemaining()) {
                var count = undisturbed(open -> open.read(into, position + into.position() - start));
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
                undisturbed(open -> open.write(bytes, position + bytes.position() - start));
            }
        }

        @Override
        public void truncate(long size) throws IOException {
            undisturbed(open -> open.truncate(size));
        }

        @Override
        public void sync() throws IOException {
            undisturbed(open -> {
                open.force(false);
                return open;
            });
        }

        void syncAll() throws IOException {
            undisturbed(open -> {
                open.force(true);
                return open;
            });
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }

        private <T> T undisturbed(Action<T> action) throws IOException {
            var interrupted = Thread.interrupted();
            try {
                while (true) {
                    try {
                        return action.run(channel);
                    } catch (ClosedByInterruptException e) {
                        interrupted = true;
                        var _ = Thread.interrupted();
                        reopen(e);
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        private void reopen(ClosedByInterruptException cause) throws IOException {
            var existing = new HashSet<OpenOption>(options);
            existing.remove(StandardOpenOption.CREATE_NEW);
            channel = FileChannel.open(path, existing);
            if (key != null
                    && !key.equals(Files.readAttributes(path, BasicFileAttributes.class, NOFOLLOW_LINKS)
                            .fileKey())) {
                channel.close();
                throw cause;
            }
        }
    }
}

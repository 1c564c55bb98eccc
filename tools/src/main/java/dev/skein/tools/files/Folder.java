package dev.skein.tools.files;

import dev.skein.tools.call.Refused;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An open directory. Everything is done relative to it and no link is followed, so it stays the same directory
/// whatever happens to its path. For one thread.
public final class Folder implements AutoCloseable {

    private final Path path;
    private final DirectoryStream<Path> stream;

    private Folder(Path path, DirectoryStream<Path> stream) {
        this.path = path;
        this.stream = stream;
    }

    @SuppressWarnings("StreamResourceLeak") // Closed with the folder.
    static Folder open(Path path) throws IOException {
        return new Folder(path, Files.newDirectoryStream(path));
    }

    /// Opens a directory in this one.
    @SuppressWarnings("StreamResourceLeak") // Closed with the folder.
    public Folder enter(String name) throws IOException {
        var below = path.resolve(name);
        var what = find(name).orElseThrow(() -> new NoSuchFileException(name));
        if (!what.isDirectory()) {
            throw refusal(name, what, "a directory");
        }
        var secure = secure();
        return new Folder(
                below,
                secure == null
                        ? Files.newDirectoryStream(below)
                        : secure.newDirectoryStream(Path.of(name), LinkOption.NOFOLLOW_LINKS));
    }

    /// What has this name, if anything has. A link is a link.
    public Optional<BasicFileAttributes> find(String name) throws IOException {
        try {
            var secure = secure();
            return Optional.of(
                    secure == null
                            ? Files.readAttributes(
                                    path.resolve(name), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                            : secure.getFileAttributeView(
                                            Path.of(name), BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                                    .readAttributes());
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    /// Opens a regular file for reading.
    public SeekableByteChannel read(String name) throws IOException {
        var what = find(name).orElseThrow(() -> new NoSuchFileException(name));
        if (!what.isRegularFile()) {
            throw refusal(name, what, "a file");
        }
        return channel(name, Set.of(StandardOpenOption.READ));
    }

    /// The names in it, sorted, at most `max` and one more if there are more. Can be asked once.
    public List<String> names(int max) throws IOException {
        var names = new ArrayList<String>();
        try {
            for (var entry : stream) {
                names.add(nameOf(entry));
                if (names.size() > max) {
                    break;
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        names.sort(null);
        return names;
    }

    SeekableByteChannel channel(String name, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        var all = new HashSet<OpenOption>(options);
        all.add(LinkOption.NOFOLLOW_LINKS);
        var secure = secure();
        return secure == null
                ? Files.newByteChannel(path.resolve(name), all, attributes)
                : secure.newByteChannel(Path.of(name), all, attributes);
    }

    /// The permissions of a file; nothing where there are none of that kind.
    Optional<Set<PosixFilePermission>> permissions(String name) throws IOException {
        var view = posix(name);
        return view == null
                ? Optional.empty()
                : Optional.of(view.readAttributes().permissions());
    }

    void permit(String name, Set<PosixFilePermission> permissions) throws IOException {
        var view = posix(name);
        if (view != null) {
            view.setPermissions(permissions);
        }
    }

    /// Gives a file another name in this directory, over whatever has it.
    void rename(String from, String to) throws IOException {
        var secure = secure();
        if (secure == null) {
            Files.move(
                    path.resolve(from),
                    path.resolve(to),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } else {
            secure.move(Path.of(from), secure, Path.of(to));
        }
    }

    void delete(String name) throws IOException {
        var secure = secure();
        if (secure == null) {
            Files.deleteIfExists(path.resolve(name));
        } else {
            secure.deleteFile(Path.of(name));
        }
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }

    /// Says in words what something is.
    public static String kind(BasicFileAttributes what) {
        if (what.isSymbolicLink()) {
            return "link";
        }
        if (what.isDirectory()) {
            return "directory";
        }
        return what.isRegularFile() ? "file" : "device, pipe or socket";
    }

    static Refused refusal(String name, BasicFileAttributes what, String wanted) {
        return new Refused(
                what.isSymbolicLink()
                        ? "'" + name + "' is a symbolic link, and links are not followed; use the path it leads to"
                        : "'" + name + "' is not " + wanted + " but a " + kind(what));
    }

    private @Nullable PosixFileAttributeView posix(String name) {
        var secure = secure();
        return secure == null
                ? Files.getFileAttributeView(
                        path.resolve(name), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                : secure.getFileAttributeView(Path.of(name), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    }

    private @Nullable SecureDirectoryStream<Path> secure() {
        return stream instanceof SecureDirectoryStream<Path> secure ? secure : null;
    }

    private static String nameOf(Path entry) {
        var name = entry.getFileName();
        return name == null ? entry.toString() : name.toString();
    }
}

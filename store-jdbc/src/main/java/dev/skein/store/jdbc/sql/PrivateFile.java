package dev.skein.store.jdbc.sql;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/// Makes files that only their owner can read. What SQLite puts beside its file gets the same mode.
final class PrivateFile {

    private PrivateFile() {}

    /// Makes the file and the directories above it, where they are not there.
    static void require(Path file) throws IOException {
        var absolute = file.toAbsolutePath();
        var posix = absolute.getFileSystem().supportedFileAttributeViews().contains("posix");
        var directory = absolute.getParent();
        if (directory != null && !Files.isDirectory(directory)) {
            Files.createDirectories(directory, posix ? mode("rwx------") : new FileAttribute<?>[0]);
        }
        try {
            Files.createFile(absolute, posix ? mode("rw-------") : new FileAttribute<?>[0]);
        } catch (FileAlreadyExistsException _) {
            // It is somebody's; how it may be read is his decision.
        }
    }

    private static FileAttribute<?>[] mode(String text) {
        return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text))};
    }
}

package dev.skein.tools.memory;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.skein.tools.call.Refused;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Notes by name: files `NAME.md` in one directory. A change is whole or not there; processes wait for each other. Safe
/// for use by many threads.
final class Notes {

    static final int NOTES_MAX = 500;
    static final int CHARS_MAX = 64 * 1024;

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");
    private static final String ENDING = ".md";
    private static final ReentrantLock IN_THIS_PROCESS = new ReentrantLock();

    private final Path directory;

    Notes(Path directory) {
        this.directory = directory;
    }

    List<String> names() throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (var files = Files.list(directory)) {
            return files.filter(file -> Files.isRegularFile(file, NOFOLLOW_LINKS))
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(ENDING))
                    .map(name -> name.substring(0, name.length() - ENDING.length()))
                    .filter(name -> NAME.matcher(name).matches())
                    .sorted()
                    .toList();
        }
    }

    Optional<String> find(String name) throws IOException {
        var file = file(name);
        if (!Files.isRegularFile(file, NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        if (Files.size(file) > 4L * CHARS_MAX) {
            throw new Refused("the note '" + name + "' is too long to be read");
        }
        try {
            return Optional.of(Files.readString(file));
        } catch (CharacterCodingException _) {
            throw new Refused("the note '" + name + "' is not a text in UTF-8");
        }
    }

    /// Replaces a note by what becomes of it; an empty text takes it away.
    void change(String name, Function<Optional<String>, String> edit) throws IOException {
        var file = file(name);
        Files.createDirectories(directory);
        IN_THIS_PROCESS.lock();
        try (var channel = FileChannel.open(
                        directory.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var _ = channel.lock()) {
            var before = find(name);
            var after = edit.apply(before);
            if (after.length() > CHARS_MAX) {
                throw new Refused("a note has at most " + CHARS_MAX + " characters; shorten it, or begin another");
            }
            if (after.isBlank()) {
                Files.deleteIfExists(file);
                return;
            }
            if (before.isEmpty() && names().size() >= NOTES_MAX) {
                throw new Refused("there are " + NOTES_MAX + " notes already; forget some");
            }
            write(file, after);
        } finally {
            IN_THIS_PROCESS.unlock();
        }
    }

    private void write(Path file, String text) throws IOException {
        var draft = directory.resolve("." + file.getFileName() + ".tmp");
        Files.deleteIfExists(draft);
        try (var channel = FileChannel.open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            var bytes = java.nio.charset.StandardCharsets.UTF_8.encode(text);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private Path file(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new Refused("'" + name + "' is no name for a note; use small letters, digits and '-', at most 64");
        }
        return directory.resolve(name + ENDING);
    }
}

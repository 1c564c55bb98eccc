package dev.skein.tools.rag;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.skein.failure.RagFailed;
import dev.skein.wire.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// The directory of one collection.
///
/// ```text
/// current          the number of the generation that counts
/// lock             held by whoever builds
/// 000007/          a generation: manifest.json, and index/ with the passages
/// .building/       the next one, until it is complete
/// ```
record RagFolder(String name, Path directory) {

    private static final Pattern GENERATION = Pattern.compile("[0-9]{6,9}");
    private static final String CURRENT = "current";
    private static final String LOCK = "lock";
    private static final String BUILDING = ".building";
    private static final String MANIFEST = "manifest.json";
    private static final String INDEX = "index";

    static Path index(Path generation) {
        return generation.resolve(INDEX);
    }

    /// The generation that counts now; empty if there is none.
    Optional<Path> current() throws IOException {
        try {
            var number = Files.readString(directory.resolve(CURRENT)).strip();
            if (!GENERATION.matcher(number).matches()) {
                throw new IOException("'" + directory.resolve(CURRENT) + "' does not name a generation");
            }
            return Optional.of(directory.resolve(number));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    boolean exists() {
        return Files.exists(directory.resolve(CURRENT));
    }

    /// @throws RagFailed if it cannot be understood
    Manifest manifest(Path generation) throws IOException {
        var bytes = Files.readAllBytes(generation.resolve(MANIFEST));
        try {
            return Json.MAPPER.readValue(bytes, Manifest.class);
        } catch (JacksonException | NullPointerException | IllegalArgumentException e) {
            throw RagFailed.damaged(name, e);
        }
    }

    /// The right to build. Closing gives it back.
    ///
    /// @throws RagFailed if somebody else has it
    Lock lock() throws IOException {
        Files.createDirectories(directory);
        var channel = FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return new Lock(channel);
            }
        } catch (OverlappingFileLockException _) {
            // Somebody in this process has it.
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        channel.close();
        throw RagFailed.locked(name);
    }

    record Lock(FileChannel channel) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /// An empty directory for the next generation, or one with the passages of this one. Files of an index never
    /// change, so both can share them.
    Path stage(@Nullable Path basis) throws IOException {
        var stage = directory.resolve(BUILDING);
        remove(stage);
        Files.createDirectories(index(stage));
        if (basis != null) {
            try (var files = Files.list(index(basis))) {
                for (var file : files.toList()) {
                    share(file, index(stage).resolve(file.getFileName().toString()));
                }
            }
        }
        return stage;
    }

    private static void share(Path file, Path copy) throws IOException {
        if (file.getFileName().toString().equals("write.lock")) {
            return;
        }
        try {
            Files.createLink(copy, file);
        } catch (UnsupportedOperationException | IOException _) {
            Files.copy(file, copy);
        }
    }

    /// Makes what was staged the generation that counts. Before this returns or after a crash, the old one counts.
    Path publish(Path stage, Manifest manifest) throws IOException {
        write(stage.resolve(MANIFEST), Json.MAPPER.writeValueAsString(manifest));
        sync(stage);
        var generation = directory.resolve("%06d".formatted(newest() + 1));
        Files.move(stage, generation, StandardCopyOption.ATOMIC_MOVE);
        var draft = directory.resolve(CURRENT + ".tmp");
        write(draft, generation.getFileName() + "\n");
        Files.move(draft, directory.resolve(CURRENT), StandardCopyOption.ATOMIC_MOVE);
        sync(directory);
        return generation;
    }

    private int newest() throws IOException {
        return generations().stream()
                .mapToInt(path -> Integer.parseInt(path.getFileName().toString()))
                .max()
                .orElse(0);
    }

    private List<Path> generations() throws IOException {
        try (var files = Files.list(directory)) {
            return files.filter(path ->
                            GENERATION.matcher(path.getFileName().toString()).matches())
                    .toList();
        }
    }

    /// Removes what does not count. Who reads an old generation goes on reading it.
    void sweep() throws IOException {
        var counts = current().orElse(null);
        remove(directory.resolve(BUILDING));
        for (var generation : generations()) {
            if (!generation.equals(counts)) {
                remove(generation);
            }
        }
    }

    private static void write(Path file, String text) throws IOException {
        try (var channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            var bytes = ByteBuffer.wrap(text.getBytes(UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    /// So that names are on the disk too. Not every system can do this to a directory.
    private static void sync(Path directory) {
        try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException _) {
            // Then it does so by itself, or cannot.
        }
    }

    static void remove(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(path, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) throws IOException {
                Files.deleteIfExists(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}

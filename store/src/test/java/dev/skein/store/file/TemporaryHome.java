package dev.skein.store.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/// Directories for tests that are gone when the test process ends.
final class TemporaryHome {

    private TemporaryHome() {}

    private static final Path MEMORY = Path.of("/dev/shm");

    static Path make() {
        return make(Path.of(System.getProperty("java.io.tmpdir")));
    }

    /// A directory in memory where there is such a thing: a sync costs nothing there.
    static Path inMemory() {
        return make(Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir")));
    }

    private static Path make(Path above) {
        try {
            var home = Files.createTempDirectory(above, "skein-test-");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(home)));
            return home;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void delete(Path home) {
        try (var paths = Files.walk(home)) {
            paths.sorted(Comparator.reverseOrder())
                    .forEach(path -> path.toFile().delete());
        } catch (IOException | UncheckedIOException _) {
            // Whatever is left is in the system's temporary directory.
        }
    }
}

package dev.skein.store.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/// Directories for tests that are gone when the test process ends.
final class TemporaryHome {

    private TemporaryHome() {}

    static Path make() {
        try {
            var home = Files.createTempDirectory("skein-test-");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(home)));
            return home;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path home) {
        try (var paths = Files.walk(home)) {
            paths.sorted(Comparator.reverseOrder())
                    .forEach(path -> path.toFile().delete());
        } catch (IOException | UncheckedIOException _) {
            // Whatever is left is in the system's temporary directory.
        }
    }
}

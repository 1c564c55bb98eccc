package dev.skein.tools.process;

import static org.assertj.core.api.Assertions.fail;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// Looks for processes on this machine, by a word in their command line, and waits for conditions.
final class Processes {

    private static final int PATIENCE_SECONDS = 30;

    private Processes() {}

    /// How many processes have this word in their command line.
    static long with(String word) {
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            return all.filter(path -> path.getFileName().toString().matches("[0-9]+"))
                    .filter(path -> commandLine(path).contains(word))
                    .count();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String commandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline")).replace('\0', ' ');
        } catch (IOException | RuntimeException _) {
            return "";
        }
    }

    /// Waits until the condition holds.
    static void await(String what, BooleanSupplier condition) throws InterruptedException {
        var never = new CountDownLatch(1);
        var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline || never.await(10, TimeUnit.MILLISECONDS)) {
                fail("not within " + PATIENCE_SECONDS + " s: " + what);
            }
        }
    }

    /// Under Maven the class path is a property, under the JUnit console a class loader.
    static String classPath() {
        if (!(Processes.class.getClassLoader() instanceof URLClassLoader loader)) {
            return System.getProperty("java.class.path");
        }
        return String.join(
                File.pathSeparator,
                Arrays.stream(loader.getURLs())
                        .map(url -> {
                            try {
                                return Path.of(url.toURI()).toString();
                            } catch (URISyntaxException e) {
                                throw new IllegalStateException(e);
                            }
                        })
                        .toList());
    }
}

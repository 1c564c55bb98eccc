package dev.skein.tools.mcp;

import static org.assertj.core.api.Assertions.fail;

import dev.skein.tools.mcp.client.ClientTerms;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.process.ChildEnvironment;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// Servers to test with, and what they leave behind.
public final class Servers {

    private static final int PATIENCE_SECONDS = 60;
    private static final Duration START = Duration.ofMinutes(1);

    private Servers() {}

    /// A [HostileServer] that behaves in this way, and notes what it is told in a file of this directory.
    public static McpServer hostile(String mode, Path directory) {
        return hostile(mode, mode, directory, Map.of());
    }

    public static McpServer hostile(String name, String mode, Path directory, Map<String, String> env) {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var args = List.of(
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                classPath(),
                HostileServer.class.getName(),
                mode,
                directory.resolve(name + ".told").toString());
        return McpServer.of(name, new McpServer.Reach.Child(java, args, env, null))
                .withTimeouts(Duration.ofSeconds(30), START);
    }

    public static ClientTerms terms(Path workspace) {
        return ClientTerms.of(workspace, ChildEnvironment.of(System.getenv(), java.util.Set.of()));
    }

    /// How many processes have this word in their command line.
    public static long running(String word) {
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            return all.filter(path -> path.getFileName().toString().matches("[0-9]+"))
                    .map(Servers::commandLine)
                    // Those that only wait for the program have it on theirs, too.
                    .filter(line -> line.contains(word) && line.startsWith(System.getProperty("java.home")))
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

    public static void await(String what, BooleanSupplier condition) throws InterruptedException {
        var never = new CountDownLatch(1);
        var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline || never.await(10, TimeUnit.MILLISECONDS)) {
                fail("not within " + PATIENCE_SECONDS + " s: " + what);
            }
        }
    }

    /// Under Maven the class path is a property, under the JUnit console a class loader. The directory of the tests is
    /// all that a hostile server needs.
    private static String classPath() {
        return List.of(fullClassPath().split(File.pathSeparator)).stream()
                .filter(entry -> Files.exists(
                        Path.of(entry, HostileServer.class.getName().replace('.', '/') + ".class")))
                .findFirst()
                .orElseThrow();
    }

    static String fullClassPath() {
        return Servers.class.getClassLoader() instanceof URLClassLoader loader
                ? String.join(
                        File.pathSeparator,
                        Arrays.stream(loader.getURLs()).map(Servers::path).toList())
                : System.getProperty("java.class.path");
    }

    private static String path(java.net.URL url) {
        try {
            return Path.of(url.toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}

package dev.skein.tools.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// No server outlives us, however we end.
class KilledParentTest {

    /// Many more with `-Dskein.mcp.kills=200`.
    private static final int KILLS = Integer.getInteger("skein.mcp.kills", 3);

    /// Many more with `-Dskein.mcp.trees=200`.
    private static final int TREES = Integer.getInteger("skein.mcp.trees", 5);

    private static final int TREES_EACH = Math.min(10, TREES);

    @TempDir
    Path root;

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void a_server_dies_with_whoever_started_it() throws Exception {
        for (int i = 0; i < KILLS; i++) {
            kill(Files.createDirectory(root.resolve("run-" + i)));
        }
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void trees_of_servers_die_too_whenever_the_kill_comes(TestReporter reporter) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "this machine has no setpriv");
        var random = new Random(7);
        var slowest = 0L;
        for (int started = 0; started < TREES; started += TREES_EACH) {
            slowest = Math.max(slowest, killTrees(Files.createDirectory(root.resolve("trees-" + started)), random));
        }
        reporter.publishEntry("%d servers, none left %d ms after the kill at the latest".formatted(TREES, slowest));
    }

    /// How many milliseconds after the kill the last was gone.
    private static long killTrees(Path directory, Random random) throws Exception {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var parent = new ProcessBuilder(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        Servers.fullClassPath(),
                        HoldsTrees.class.getName(),
                        directory.toString(),
                        String.valueOf(TREES_EACH))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("said").toFile())
                .start();
        var wanted = 1 + random.nextInt(TREES_EACH);
        try {
            Servers.await("servers", () -> started(directory) >= wanted || !parent.isAlive());
            assertThat(started(directory))
                    .as(Files.readString(directory.resolve("said")))
                    .isGreaterThanOrEqualTo(wanted);
        } finally {
            parent.destroyForcibly();
        }
        assertThat(parent.waitFor(30, TimeUnit.SECONDS)).isTrue();
        var killed = System.nanoTime();
        Servers.await("the end of all trees", () -> inside(directory) == 0);
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killed);
    }

    private static long started(Path directory) {
        try {
            return Files.readAllLines(directory.resolve("started")).size();
        } catch (IOException _) {
            return 0;
        }
    }

    /// How many processes work in this directory: a child of a child has no other mark.
    private static long inside(Path directory) {
        try (var all = Files.list(Path.of("/proc"))) {
            return all.filter(process -> process.getFileName().toString().matches("[0-9]+"))
                    .filter(process -> directory.equals(cwd(process)))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path cwd(Path process) {
        try {
            return Files.readSymbolicLink(process.resolve("cwd"));
        } catch (IOException _) {
            return process;
        }
    }

    private static void kill(Path directory) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "this machine has no setpriv");
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var parent = new ProcessBuilder(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        Servers.fullClassPath(),
                        HoldsServer.class.getName(),
                        directory.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("said").toFile())
                .start();
        try {
            Servers.await("the server", () -> Files.exists(directory.resolve("ready")) || !parent.isAlive());
            assertThat(parent.isAlive())
                    .as(Files.readString(directory.resolve("said")))
                    .isTrue();
            assertThat(Servers.running(directory.resolve("stays.told").toString()))
                    .isPositive();
        } finally {
            parent.destroyForcibly();
        }

        assertThat(parent.waitFor(30, TimeUnit.SECONDS)).isTrue();
        Servers.await(
                "the end of all",
                () -> Servers.running(directory.resolve("stays.told").toString()) == 0);
    }
}

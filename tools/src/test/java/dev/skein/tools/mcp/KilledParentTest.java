package dev.skein.tools.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// No server outlives us, however we end.
class KilledParentTest {

    /// Many more with `-Dskein.mcp.kills=200`.
    private static final int KILLS = Integer.getInteger("skein.mcp.kills", 3);

    @TempDir
    Path root;

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void a_server_dies_with_whoever_started_it() throws Exception {
        for (int i = 0; i < KILLS; i++) {
            kill(Files.createDirectory(root.resolve("run-" + i)));
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

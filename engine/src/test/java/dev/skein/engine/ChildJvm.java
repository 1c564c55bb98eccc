package dev.skein.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A [ChildAgent] in a process of its own: started, listened to and killed.
final class ChildJvm implements AutoCloseable {

    private final Process process;
    private final BufferedReader lines;

    private ChildJvm(Process process) {
        this.process = process;
        this.lines = process.inputReader(UTF_8);
    }

    /// Starts it. What it writes to standard error goes to this file.
    static ChildJvm start(Path errors, Object... arguments) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-Xshare:auto",
                "-Xmx128m",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                ChildAgent.class.getName()));
        Arrays.stream(arguments).map(String::valueOf).forEach(command::add);
        return new ChildJvm(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                .start());
    }

    /// The next line it prints, or null if it ended.
    @Nullable
    String line() throws IOException {
        return lines.readLine();
    }

    void tell(String line) throws IOException {
        process.outputWriter(UTF_8).append(line).append('\n').flush();
    }

    /// As `kill -9`.
    void kill() throws InterruptedException {
        process.toHandle().destroyForcibly();
        process.waitFor();
    }

    int await() throws InterruptedException {
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

package dev.skein.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A program of a test in a process of its own: started, listened to, stopped, continued and killed.
public final class ChildJvm implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 60;

    private final Process process;
    private final BufferedReader lines;

    private ChildJvm(Process process) {
        this.process = process;
        this.lines = process.inputReader(UTF_8);
    }

    public static ChildJvm start(Class<?> program, Object... arguments) throws IOException {
        return start(program, List.of(), Map.of(), arguments);
    }

    /// Starts it below another program, such as a tracer, and with more in its environment.
    public static ChildJvm start(
            Class<?> program, List<String> below, Map<String, String> environment, Object... arguments)
            throws IOException {
        var command = new ArrayList<>(below);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                classPath(),
                program.getName()));
        Arrays.stream(arguments).map(String::valueOf).forEach(command::add);
        var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(environment);
        return new ChildJvm(builder.start());
    }

    /// Under Maven the class path is a property, under the JUnit console a class loader.
    private static String classPath() {
        if (!(ChildJvm.class.getClassLoader() instanceof URLClassLoader loader)) {
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

    /// The next line it prints, or null if it ended.
    @Nullable
    public String line() throws IOException {
        return lines.readLine();
    }

    /// All lines until it ends.
    public List<String> rest() {
        return lines.lines().toList();
    }

    public void tell(String line) throws IOException {
        process.outputWriter(UTF_8).append(line).append('\n').flush();
    }

    public void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /// Waits for its end and returns the exit value.
    public int await() throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException("the child did not end within " + PATIENCE_SECONDS + " s");
        }
        return process.exitValue();
    }

    /// Gives it a moment to end; returns whether it did.
    public boolean endsWithin(int milliseconds) throws InterruptedException {
        return process.waitFor(milliseconds, TimeUnit.MILLISECONDS);
    }

    /// As `kill -9`.
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

package dev.skein.tools.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A program of somebody else that we run, with everything it starts: contained as well as this machine allows, in a
/// session of its own, without our environment.
///
/// It ends in one of three ways: by itself; by [#close], which asks first and kills after a moment, all of it, in less
/// than two seconds; or with us, however we end. How far this holds on a machine says [Containment].
///
/// Safe for use by many threads, except the streams.
public final class ChildProcess implements AutoCloseable {

    private static final Duration GRACE = Duration.ofMillis(700);
    private static final Duration LAST_WAIT = Duration.ofMillis(500);

    private final Process process;
    private final Containment containment;

    private ChildProcess(Process process, Containment containment) {
        this.process = process;
        this.containment = containment;
    }

    /// Whether the two outputs of a program come as one.
    public enum Outputs {
        MERGED,
        APART
    }

    /// Starts a program. No shell reads the command line.
    public static ChildProcess start(
            List<String> command, Path directory, ChildEnvironment environment, Outputs outputs) throws IOException {
        return start(command, directory, environment, outputs, Spawner.containment());
    }

    static ChildProcess start(
            List<String> command,
            Path directory,
            ChildEnvironment environment,
            Outputs outputs,
            Containment containment)
            throws IOException {
        var builder = new ProcessBuilder(containment.around(command))
                .directory(directory.toFile())
                .redirectErrorStream(outputs == Outputs.MERGED);
        builder.environment().clear();
        builder.environment().putAll(environment.variables());
        return new ChildProcess(Spawner.start(builder), containment);
    }

    /// Where the program reads from.
    public OutputStream input() {
        return process.getOutputStream();
    }

    public InputStream output() {
        return process.getInputStream();
    }

    public InputStream errors() {
        return process.getErrorStream();
    }

    /// Done when the program has ended by itself or was killed; holds its exit code.
    public CompletableFuture<Integer> ended() {
        return process.onExit().thenApply(Process::exitValue);
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /// Ends the program and everything it started; does nothing where nothing is left. Not disturbed by interrupts.
    @Override
    public void close() {
        var family = process.descendants().toList();
        if (process.isAlive()) {
            family.forEach(ProcessHandle::destroy);
            if (!containment.isNamespace()) {
                process.destroy();
            }
            awaitEnd(GRACE);
        }
        kill(family);
    }

    private void kill(List<ProcessHandle> family) {
        // In a namespace its first process is among these, and is gone only when all others are.
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        family.forEach(ProcessHandle::destroyForcibly);
        if (containment.hasSession() && !containment.isNamespace()) {
            killGroup();
        }
        if (!containment.isNamespace()) {
            process.destroyForcibly();
        }
        if (!awaitEnd(LAST_WAIT)) {
            process.destroyForcibly();
            awaitEnd(LAST_WAIT);
        }
    }

    /// Java has no call for this.
    private void killGroup() {
        var kill = new ProcessBuilder("/bin/sh", "-c", "kill -s KILL -- -" + process.pid())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        kill.environment().clear();
        try {
            await(Spawner.start(kill), LAST_WAIT);
        } catch (IOException _) {
            // Without a shell there is nothing to kill that the lines before have not.
        }
    }

    private boolean awaitEnd(Duration time) {
        return await(process, time);
    }

    /// Waits as long as that, whoever interrupts.
    private static boolean await(Process process, Duration time) {
        var interrupted = false;
        var ended = process.onExit();
        var deadline = System.nanoTime() + time.toNanos();
        try {
            while (true) {
                try {
                    ended.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
                    return true;
                } catch (TimeoutException _) {
                    return false;
                } catch (InterruptedException _) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw new IllegalStateException("the end of a program could not be waited for", e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

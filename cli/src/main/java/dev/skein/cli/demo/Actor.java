package dev.skein.cli.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// A `skein` process of the demo, and what it says.
final class Actor implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long TICK_MILLIS = 20;

    private final Process process;
    private final List<String> said = new ArrayList<>();
    private final Thread listener;

    /// `onLine` hears each line as it comes, on another thread.
    Actor(Process process, Consumer<String> onLine) {
        this.process = process;
        this.listener = Thread.ofVirtual().name("skein-demo-listener").start(() -> listen(onLine));
    }

    private void listen(Consumer<String> onLine) {
        try (var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line = lines.readLine();
            while (line != null) {
                synchronized (said) {
                    said.add(line);
                }
                onLine.accept(line);
                line = lines.readLine();
            }
        } catch (IOException _) {
            // It was killed; what it said before is here.
        }
    }

    List<String> said() {
        synchronized (said) {
            return List.copyOf(said);
        }
    }

    String text() {
        return String.join("\n", said());
    }

    /// Waits until this holds while it runs. False if it ended first, or nothing came of it.
    boolean runsUntil(BooleanSupplier condition) {
        var deadline = System.nanoTime() + PATIENCE.toNanos();
        try {
            while (!condition.getAsBoolean()) {
                if (process.waitFor(TICK_MILLIS, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                    return false;
                }
            }
            return true;
        } catch (InterruptedException _) {
            throw interrupted();
        }
    }

    /// As `kill -9` does it: no time for last words.
    void kill() {
        process.destroyForcibly();
        ended();
    }

    /// Waits for the end. The exit code, or -1 if it had to be killed.
    int ended() {
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return -1;
            }
            // A tool that outlives the process may hold the pipe; nothing more is said on it.
            var _ = listener.join(Duration.ofSeconds(2));
            return process.exitValue();
        } catch (InterruptedException _) {
            throw interrupted();
        }
    }

    private static Stage.Unplayable interrupted() {
        Thread.currentThread().interrupt();
        return new Stage.Unplayable("the demo was interrupted");
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}

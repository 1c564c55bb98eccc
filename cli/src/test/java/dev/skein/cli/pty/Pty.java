package dev.skein.cli.pty;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A program in a process of its own on a pseudo-terminal of the system's: keys go in, the screen comes out.
///
/// A thread of its own reads the screen, and every wait has an end: a program that says nothing fails a test and does
/// not hang it.
public final class Pty implements AutoCloseable {

    private static final Path SCRIPT = Path.of("/usr/bin/script");
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final Pattern TTY = Pattern.compile("tty=(/dev/\\S+)");

    private final Process process;
    private final StringBuilder raw = new StringBuilder();
    private final String tty;
    private boolean ended;
    private int seen;

    /// Whether this machine has what opens a pseudo-terminal.
    public static boolean isPossible() {
        return Files.isExecutable(SCRIPT);
    }

    public Pty(int columns, Map<String, String> env, List<String> command) throws IOException {
        var words = command.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
        var line = "echo tty=$(tty); stty cols " + columns + " rows 40; exec " + words;
        var builder =
                new ProcessBuilder(List.of(SCRIPT.toString(), "-qec", line, "/dev/null")).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.endsWith("_API_KEY") || name.startsWith("LC_"));
        builder.environment().putAll(Map.of("LANG", "C.UTF-8", "TERM", "xterm", "SHELL", "/bin/sh"));
        builder.environment().putAll(env);
        process = builder.start();
        Thread.ofPlatform().daemon().name("pty-screen").start(this::watch);
        sees("\n");
        var found = TTY.matcher(raw());
        assertThat(found.find()).as(raw()).isTrue();
        tty = found.group(1);
    }

    private void watch() {
        try (var output = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)) {
            var piece = new char[4096];
            for (int length = output.read(piece); length >= 0; length = output.read(piece)) {
                synchronized (this) {
                    raw.append(piece, 0, length);
                    notifyAll();
                }
            }
        } catch (IOException _) {
            // The other end is gone.
        }
        synchronized (this) {
            ended = true;
            notifyAll();
        }
    }

    /// Everything that was sent to the screen, control sequences and all.
    public synchronized String raw() {
        return raw.toString();
    }

    public Pty types(String line) throws IOException {
        return presses(line + "\r");
    }

    public Pty presses(String keys) throws IOException {
        process.getOutputStream().write(keys.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        return this;
    }

    /// Makes the window this wide; whoever is in it is told, as by a real one.
    public void resize(int columns) throws IOException, InterruptedException {
        var stty = new ProcessBuilder("stty", "-F", tty, "cols", String.valueOf(columns))
                .redirectErrorStream(true)
                .start();
        assertThat(stty.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(stty.exitValue()).isZero();
    }

    /// Waits until the screen shows this, after what was waited for last. Returns what was shown up to it.
    public synchronized String sees(String text) {
        var deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            var plain = Shown.plain(raw.toString());
            var found = plain.indexOf(text, Math.min(seen, plain.length()));
            if (found >= 0) {
                var shown = plain.substring(seen, found + text.length());
                seen = found + text.length();
                return shown;
            }
            var left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0 || ended) {
                throw new AssertionError("'" + text + "' was not shown" + (ended ? " before the end" : "") + ", but:\n"
                        + plain.substring(Math.min(seen, plain.length())));
            }
            try {
                wait(Math.min(left, 1_000));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /// As `kill -9` does it.
    public void kill() throws InterruptedException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }

    /// Waits until the program ends by itself, and well.
    public void ends() throws InterruptedException {
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(raw()).isTrue();
        assertThat(process.exitValue()).as(raw()).isZero();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}

package dev.skein.cli.repl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cli.chat.ChatOptions;
import dev.skein.cli.program.ExitCode;
import dev.skein.cli.program.GlobalOptions;
import dev.skein.cli.program.Program;
import dev.skein.cli.pty.Shown;
import dev.skein.cli.terminal.Streams;
import dev.skein.cli.terminal.Streams.Attached;
import dev.skein.cli.terminal.Terminal;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jline.terminal.Size;
import org.jline.terminal.impl.LineDisciplineTerminal;
import picocli.CommandLine;

/// A person at a terminal in this process: keys go in through a line discipline, and what the screen got comes out.
final class Sitting implements AutoCloseable {

    static final String CTRL_C = "\u0003";
    static final String CTRL_D = "\u0004";
    static final String TAB = "\t";

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Master master = new Master();
    private final LineDisciplineTerminal screen;
    private final CompletableFuture<ExitCode> ended = new CompletableFuture<>();

    /// How a sitting begins.
    static final class Setup {
        final Path home;
        final Map<String, String> env = new HashMap<>(
                Map.of("LANG", "en_US.UTF-8", "HOME", "/nowhere", "NO_COLOR", "1", "OLLAMA_HOST", "127.0.0.1:9"));
        int columns = 100;

        Setup(Path home) {
            this.home = home;
        }

        Setup with(String variable, String value) {
            env.put(variable, value);
            return this;
        }

        Setup colored() {
            env.remove("NO_COLOR");
            return this;
        }

        Setup columns(int number) {
            columns = number;
            return this;
        }

        Sitting begin(String... args) {
            return new Sitting(this, args);
        }
    }

    static Setup in(Path home) {
        return new Setup(home);
    }

    private Sitting(Setup setup, String... args) {
        try {
            screen = new LineDisciplineTerminal("test", "xterm", master, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        screen.setSize(new Size(setup.columns, 50));
        var env = new HashMap<>(setup.env);
        env.put("SKEIN_HOME", setup.home.toString());
        var options = new ChatOptions();
        new CommandLine(options).parseArgs(args);
        Thread.ofPlatform().name("sitting").start(() -> {
            var streams = new Streams(screen.input(), screen.output(), screen.output(), Attached.TERMINAL);
            try {
                ended.complete(run(options, streams, env));
            } catch (Throwable e) {
                ended.completeExceptionally(e);
                master.wake();
            }
        });
    }

    /// When this returns, home is left alone.
    private ExitCode run(ChatOptions options, Streams streams, Map<String, String> env) {
        try (var program = new Program(new GlobalOptions(), new Terminal(streams, env), env, Clock.systemUTC())) {
            var code = Repl.at(screen, program, options);
            program.terminal().flush();
            return code;
        }
    }

    /// Types a line and Enter.
    Sitting types(String line) {
        return presses(line + "\r");
    }

    Sitting presses(String keys) {
        try {
            screen.processInputBytes(keys.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    void resize(int columns) {
        screen.setSize(new Size(columns, 50));
        screen.raise(org.jline.terminal.Terminal.Signal.WINCH);
    }

    /// Waits until the screen shows this, after what was waited for last. Returns what was shown up to it.
    String sees(String text) {
        return master.await(text, ended);
    }

    /// Everything that was sent to the screen, control sequences and all.
    String raw() {
        return master.all();
    }

    ExitCode leaves() {
        try {
            return ended.get(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("the sitting goes on; the screen got:\n" + master.all(), e);
        }
    }

    @Override
    public void close() {
        if (!ended.isDone()) {
            presses(CTRL_D);
        }
        assertThat(leaves()).isEqualTo(ExitCode.OK);
        try {
            screen.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The other end of the terminal.
    private static final class Master extends OutputStream {

        private final StringBuilder plain = new StringBuilder();
        private final java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
        private int seen;

        @Override
        public synchronized void write(int b) {
            bytes.write(b);
            notifyAll();
        }

        @Override
        public synchronized void write(byte[] some, int from, int length) {
            bytes.write(some, from, length);
            notifyAll();
        }

        synchronized void wake() {
            notifyAll();
        }

        synchronized String all() {
            return bytes.toString(StandardCharsets.UTF_8);
        }

        synchronized String await(String text, CompletableFuture<?> ended) {
            var deadline = System.nanoTime() + PATIENCE_NANOS;
            while (true) {
                plain.setLength(0);
                plain.append(Shown.plain(all()));
                var found = plain.indexOf(text, seen);
                if (found >= 0) {
                    var shown = plain.substring(seen, found + text.length());
                    seen = found + text.length();
                    return shown;
                }
                var left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (left <= 0 || ended.isDone()) {
                    throw new AssertionError("'" + text + "' was not shown, but:\n" + plain.substring(seen)
                            + (ended.isCompletedExceptionally() ? "\n" + ended.exceptionNow() : ""));
                }
                try {
                    wait(Math.min(left, 1_000));
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }
}
